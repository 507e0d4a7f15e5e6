/** A form at the side of the page, or from below on a phone. */
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { Alert, Drawer } from '@mantine/core';
import { useLocale } from '../locale';
import { Lazy } from './Lazy';
import { useIsNarrow } from './Page';

interface FormDrawerProps {
  title: ReactNode;
  opened: boolean;
  /** On a phone it comes from below, as high as its form. */
  isSheet?: boolean;
  closeOnEscape?: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function FormDrawer({ title, opened, isSheet, children, ...props }: FormDrawerProps) {
  const { t } = useLocale();
  const keyboard = useKeyboard();
  const isBelow = useIsNarrow() && isSheet;
  const sheet = {
    height: 'auto',
    maxHeight: `calc(92dvh - ${keyboard}px)`,
    marginBottom: keyboard,
    borderRadius: '16px 16px 0 0',
  };
  return (
    <Drawer
      title={title}
      opened={opened}
      position={isBelow ? 'bottom' : 'right'}
      styles={isBelow ? { content: sheet } : {}}
      closeButtonProps={{ 'aria-label': t.do.close }}
      {...props}
    >
      {/* What is edited is gone while the drawer closes. */}
      {opened && <Lazy>{children}</Lazy>}
    </Drawer>
  );
}

/** How much of the lower end of the window the keyboard of a phone covers, in pixels. */
const useKeyboard = (): number =>
  useSyncExternalStore(
    (listener) => {
      visualViewport?.addEventListener('resize', listener);
      return () => visualViewport?.removeEventListener('resize', listener);
    },
    () => {
      const { height, scale } = visualViewport ?? { height: innerHeight, scale: 1 };
      return Math.max(0, Math.round(innerHeight - height * scale));
    },
  );

interface ChangedElsewhereProps {
  record: { updated_at: string };
  children: ReactNode;
}

/** Shows the current version of a record that was changed since its form was opened. */
export function ChangedElsewhere({ record, children }: ChangedElsewhereProps) {
  const [opened] = useState(record.updated_at);
  if (record.updated_at === opened) return null;
  return (
    <Alert role="alert" mb="md">
      {children}
    </Alert>
  );
}
