import '@picocss/pico/css/pico.min.css';
import { StrictMode, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { client, useLoaded } from './api';
import { CycleList } from './CycleList';
import { CyclePage } from './CyclePage';
import { NextCycle } from './NextCycle';
import { SignIn } from './SignIn';

/** `#next`, or `#` and the id of a cycle. */
function useHash(): string {
  return useSyncExternalStore(
    (changed) => {
      addEventListener('hashchange', changed);
      return () => removeEventListener('hashchange', changed);
    },
    () => location.hash.slice(1),
  );
}

function Pages({ onSignOut }: { onSignOut: () => void }) {
  const hash = useHash();
  const { data, notice } = useLoaded(`cycles ${hash}`, async () => {
    return (await client.GET('/cycles', { params: { query: { per_page: 100 } } })).data.cycles;
  });
  return (
    <>
      <nav aria-label="Main">
        <ul>
          <li>
            <a href="#">All cycles</a>
          </li>
          <li>
            <button className="outline" onClick={() => void client.signOut().then(onSignOut)}>
              Sign out
            </button>
          </li>
        </ul>
      </nav>
      {!data && notice}
      {data && hash === '' && <CycleList cycles={data} />}
      {data && hash === 'next' && <NextCycle />}
      {data && hash !== '' && hash !== 'next' && <CyclePage key={hash} id={hash} cycles={data} />}
    </>
  );
}

function App() {
  const [isSignedIn, setSignedIn] = useState(client.token !== undefined);
  const page = isSignedIn ? (
    <Pages onSignOut={() => setSignedIn(false)} />
  ) : (
    <SignIn onSignIn={() => setSignedIn(true)} />
  );
  return <main className="container">{page}</main>;
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
