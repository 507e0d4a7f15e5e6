/** The kernel may kill a process with less under load; docs/operations.md has the measurements. */
const REQUIRED_MB = 512;

/**
 * A warning if the container or control group of the process has too little memory for the embedded
 * database.
 */
export function memoryWarning(limitBytes = process.constrainedMemory()): string | undefined {
  const limitMb = Math.floor(limitBytes / 2 ** 20);
  // 0: no limit.
  if (limitMb === 0 || limitMb >= REQUIRED_MB) return undefined;
  return `The memory limit is ${limitMb} MB; with less than ${REQUIRED_MB} MB the system may kill the process under load`;
}
