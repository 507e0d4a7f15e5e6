/** The local time `YYYY-MM-DDThh:mm:ss.sss` of an instant at an offset from UTC. */
const localTime = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * 60_000).toISOString().slice(0, -1);

/** An instant in the forms that clients print. */
export const FORMS = [
  (instant: string) => `${localTime(instant, 0)}000+00:00`, // Python
  (instant: string) => `${localTime(instant, 0).replace(/\.?0*$/, '')}Z`, // Go, which omits zeros at the end
  (instant: string) => `${localTime(instant, 0)}0000Z`, // C#
  (instant: string) => `${localTime(instant, 0)}000000Z`, // Java
  (instant: string) => `${localTime(instant, 0)}999Z`, // a clock with microseconds
  (instant: string) => `${localTime(instant, 0)}-00:00`,
  (instant: string) => `${localTime(instant, 0).replace('.', ',')}Z`,
  (instant: string) => `${localTime(instant, -360)}-06:00`,
  (instant: string) => `${localTime(instant, -360)}-0600`,
  (instant: string) => `${localTime(instant, 345)}+05:45`,
  (instant: string) => `${localTime(instant, 1439)}+23:59`,
] as const;

/**
 * Timestamps of other instants than the given one, and texts that are no timestamps with an offset.
 */
export function otherInstants(instant: string): string[] {
  const utc = localTime(instant, 0);
  const shifted = (milliseconds: number): string =>
    new Date(Date.parse(instant) + milliseconds).toISOString();
  return [
    ...[shifted(-1), shifted(1), shifted(1000), shifted(3_600_000)],
    ...[utc, `${utc}+01:00`, `${utc}-06:00`, `${utc}+24:00`, `${utc}z`, `${utc}ZZ`, `${utc}Z-gzip`],
    ...[`${utc}0000000Z`, utc.slice(0, 10), `${utc.slice(0, -4)}.Z`, String(Date.parse(instant))],
  ];
}
