import { useState, type FormEvent } from 'react';
import { client, ErrorNote, fieldErrors } from './api';
import { Field } from './Field';

export function SignIn({ onSignIn }: { onSignIn: () => void }) {
  const [error, setError] = useState<unknown>();
  const errors = fieldErrors(error);

  async function signIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [email = '', password = ''] = ['email', 'password'].map((name) => String(form.get(name)));
    await client.signIn({ email, password }).then(onSignIn, setError);
  }

  return (
    <form onSubmit={signIn}>
      <h1>Sign in</h1>
      <Field name="email" autoComplete="username" errors={errors.email} />
      <Field name="password" type="password" errors={errors.password} />
      <ErrorNote error={error} />
      <button>Sign in</button>
    </form>
  );
}
