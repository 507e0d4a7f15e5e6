import type { Request } from 'express';

type Check = () => void | Promise<void>;

const CHECKS = new WeakMap<Request, Check>();

/**
 * Sets what is checked again when the body of the request has been read: the client decides how
 * long that takes.
 */
export function checkAfterBody(request: Request, check: Check): void {
  CHECKS.set(request, check);
}

/** @throws what the check throws */
export async function checkAgain(request: Request): Promise<void> {
  await CHECKS.get(request)?.();
}
