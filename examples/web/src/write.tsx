/** Writes with a message that says what happened, and undo. */
import { useState, type ReactNode } from 'react';
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { isApiError, messageOf, NetworkError } from 'expense-service-client';
import { queries } from './api';
import { useLocale } from './locale';

const MESSAGE_MS = 8_000;

let undoLast: (() => void) | undefined;

/** Takes back the last change while its message is shown. */
export const undoLastChange = (): void => undoLast?.();

export function showMessage(text: ReactNode, action?: { label: string; run: () => void }): void {
  const id = crypto.getRandomValues(new Uint32Array(1)).join();
  const run = (): void => {
    notifications.hide(id);
    undoLast = undefined;
    action?.run();
  };
  undoLast = action ? run : undefined;
  notifications.clean();
  notifications.show({
    id,
    autoClose: MESSAGE_MS,
    withCloseButton: false,
    className: 'message',
    onClose: () => (undoLast = undoLast === run ? undefined : undoLast),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span style={{ overflowWrap: 'anywhere' }}>{text}</span>
        {action && (
          <Button variant="transparent" size="compact-sm" flex="none" onClick={run}>
            {action.label}
          </Button>
        )}
      </Group>
    ),
  });
}

export interface Write {
  /** What is written, as messages name it. */
  name: string;
  /** The message after it, which offers to take it back. */
  done: string;
  send: () => Promise<Operation | Operation[]>;
}

export interface Operation {
  operationId: string | undefined;
}

/** Shows what happened, and offers to take back the operations that did it. */
export function useDone(): (done: string, ...operationIds: (string | undefined)[]) => void {
  const { t, language } = useLocale();

  async function undo(operationIds: readonly string[]): Promise<void> {
    try {
      for (const id of operationIds) await queries.undo(id);
      showMessage(t.done.undone);
    } catch (error) {
      showMessage(messageOf(error, language));
    }
  }

  return (done, ...operationIds) => {
    const ids = operationIds.filter((id) => id !== undefined).reverse();
    showMessage(done, ids.length > 0 ? { label: t.do.undo, run: () => void undo(ids) } : undefined);
  };
}

/**
 * Sends a write of one press: shows what happened and offers undo, or says what went wrong and
 * offers to try again. `isSaving` is true meanwhile; the promise has what was
 * done, if it succeeded.
 */
export function useWrite() {
  const { t, language } = useLocale();
  const showDone = useDone();
  const [isSaving, setSaving] = useState(false);

  async function write(action: Write): Promise<Operation[] | undefined> {
    setSaving(true);
    try {
      const operations = [await action.send()].flat();
      showDone(action.done, ...operations.map(({ operationId }) => operationId));
      return operations;
    } catch (error) {
      const again = { label: t.do.tryAgain, run: () => void write(action) };
      if (error instanceof NetworkError) showMessage(t.problem.offline(action.name), again);
      else if (isApiError(error, 'PRECONDITION_FAILED')) {
        showMessage(t.problem.changed(action.name));
        await queries.refresh();
      } else if (!isApiError(error, 'INVALID_TOKEN')) showMessage(messageOf(error, language));
      return undefined;
    } finally {
      setSaving(false);
    }
  }

  return { write, isSaving };
}

export interface WriteAction extends Write {
  label: string;
  /** After it has succeeded. */
  onDone?: (operations: Operation[]) => void;
}

/** Buttons that write at once, at the start of the line. */
export function WriteButtons({ actions }: { actions: WriteAction[] }) {
  const { write, isSaving } = useWrite();
  async function run(action: WriteAction): Promise<void> {
    const operations = await write(action);
    if (operations) action.onDone?.(operations);
  }
  return (
    <Group gap={0} mr="auto">
      {actions.map((action) => (
        <Button
          key={action.label}
          variant="subtle"
          disabled={isSaving}
          aria-label={`${action.label}: ${action.name}`}
          onClick={() => void run(action)}
        >
          {action.label}
        </Button>
      ))}
    </Group>
  );
}
