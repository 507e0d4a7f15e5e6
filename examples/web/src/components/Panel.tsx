/** Forms in place, below the row of what they are about, of which one is open at a time. */
import { createContext, useContext, useId, useRef, useState, type ReactNode } from 'react';

const OpenPanel = createContext<[string | undefined, (id: string | undefined) => void]>([
  undefined,
  () => undefined,
]);

export function PanelProvider({ children }: { children: ReactNode }) {
  return <OpenPanel value={useState<string>()}>{children}</OpenPanel>;
}

/** Panels by a key. After one closes, the focus is on the button that has opened it. */
export function usePanels() {
  const id = useId();
  const opener = useRef<HTMLElement>(null);
  const [open, setOpen] = useContext(OpenPanel);
  return (key: string) => {
    const isOpen = open === id + key;
    return {
      isOpen,
      toggle({ currentTarget }: { currentTarget: HTMLElement }) {
        opener.current = currentTarget;
        setOpen(isOpen ? undefined : id + key);
      },
      close() {
        setOpen(undefined);
        opener.current?.focus();
      },
    };
  };
}

export const usePanel = () => usePanels()('');

export type PanelState = ReturnType<typeof usePanel>;

interface PanelProps {
  onClose: () => void;
  children: ReactNode;
}

/** Its first field has the focus. */
export function Panel({ onClose, children }: PanelProps) {
  return (
    <div ref={focusField} className="says" onKeyDown={({ key }) => key === 'Escape' && onClose()}>
      {children}
    </div>
  );
}

const focusField = (panel: HTMLElement | null): void => panel?.querySelector('input')?.focus();
