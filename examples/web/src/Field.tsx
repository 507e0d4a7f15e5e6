import { useId, type InputHTMLAttributes } from 'react';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  name: string;
  errors: string[] | undefined;
}

/** An input with its label and the errors that the service reports for it. */
export function Field({ name, errors, ...input }: FieldProps) {
  const id = useId();
  const state = errors && { 'aria-invalid': true, 'aria-describedby': id };
  return (
    <label>
      {name.replace('_', ' ')}
      <input name={name} {...state} {...input} />
      {errors && <small id={id}>{errors.join('; ')}</small>}
    </label>
  );
}
