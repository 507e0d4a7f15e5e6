/** The part of the package that the lock of the data folder uses; it has no types of its own. */
declare module 'fs-native-extensions' {
  /**
   * Locks a file exclusively until its descriptor is closed; false if another open descriptor has
   * the lock.
   */
  export function tryLock(descriptor: number): boolean;
}
