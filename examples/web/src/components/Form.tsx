/** A form of Mantine that is sent to the service, with its errors at the fields that they name. */
import { useState, type ReactNode } from 'react';
import { Alert, Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { fieldErrors, isApiError, messageOf } from 'expense-service-client';
import { queries } from '../api';
import { useLocale } from '../locale';
import { WriteButtons, type WriteAction } from '../write';

/** What is wrong with a field, found while something is sent. */
export class FieldError extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

interface FormProps<Values, Sent> {
  form: UseFormReturnType<Values, Sent>;
  /** Throws what the client throws, or a `FieldError`. */
  send: (values: Sent, isAnother: boolean) => Promise<unknown>;
  /** Of the button that sends; left out: nothing can be sent. */
  label?: string | undefined;
  /** Of a second button that sends, to go on with another one. */
  another?: string | undefined;
  onCancel?: (() => void) | undefined;
  /** Of its button, where it is more than "Cancel". */
  cancelLabel?: string | undefined;
  /** What can be done with the record besides changing its fields. */
  actions?: WriteAction[];
  /** The fields, and what stands between them and the buttons. */
  children?: ReactNode;
}

/** Errors that name no field that is shown stand above the buttons; what was typed stays. */
export function Form<Values extends object, Sent = Values>(props: FormProps<Values, Sent>) {
  const { form, send, label, another, onCancel, actions, children } = props;
  const { t, language } = useLocale();
  const { cancelLabel = t.do.cancel } = props;
  const [problem, setProblem] = useState<string>();

  function focusFirst(errors: Record<string, unknown>): boolean {
    const nodes = Object.keys(errors).map((name) => form.getInputNode(name));
    const first = nodes.find((node) => node !== null);
    first?.focus();
    return first !== undefined;
  }

  async function show(error: unknown): Promise<void> {
    const errors =
      error instanceof FieldError ? { [error.field]: error.message } : fieldErrors(error, language);
    form.setErrors(errors);
    if (!focusFirst(errors)) setProblem(Object.values(errors)[0] ?? messageOf(error, language));
    if (isApiError(error, 'PRECONDITION_FAILED')) await queries.refresh();
  }

  const save = (isAnother: boolean) =>
    form.onSubmit(async (values) => {
      setProblem(undefined);
      await send(values, isAnother).catch(show);
    }, focusFirst);

  return (
    <form onSubmit={save(false)} noValidate>
      <Stack gap="sm">{children}</Stack>
      {problem && (
        <Alert color="red" role="alert" mt="md">
          {problem}
        </Alert>
      )}
      <Group className="form-end" justify="flex-end">
        {actions && <WriteButtons actions={actions} />}
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {cancelLabel}
          </Button>
        )}
        {another && (
          <Button variant="default" disabled={form.submitting} onClick={() => save(true)()}>
            {another}
          </Button>
        )}
        {label && (
          <Button type="submit" aria-busy={form.submitting} disabled={form.submitting}>
            {form.submitting ? t.do.saving : label}
          </Button>
        )}
      </Group>
    </form>
  );
}
