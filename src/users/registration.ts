import { Inject, Injectable, type CanActivate } from '@nestjs/common';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { DomainError } from '../platform/errors/domain-error.js';

const registrationClosed = (): DomainError =>
  new DomainError('FORBIDDEN', 'Registration is closed');

export const invitationRequired = (): DomainError =>
  new DomainError('FORBIDDEN', 'Registration requires an invitation code');

/** Refuses requests while nobody may register, before their body is read. */
@Injectable()
export class RegistrationGuard implements CanActivate {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** @throws DomainError FORBIDDEN */
  canActivate(): boolean {
    if (this.settings.registration === 'closed') throw registrationClosed();
    return true;
  }
}
