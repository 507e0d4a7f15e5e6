import { usd, type Cycle } from './api';

export function CycleList({ cycles }: { cycles: Cycle[] }) {
  return (
    <>
      <h1>Cycles</h1>
      <ul>
        {cycles.map(({ id, name, status, remaining_balance: remaining }) => (
          <li key={id}>
            <a href={`#${id}`}>{name}</a> ({status}): {usd(remaining)} remain
          </li>
        ))}
      </ul>
      <a href="#next" role="button">
        Plan the next cycle
      </a>
    </>
  );
}
