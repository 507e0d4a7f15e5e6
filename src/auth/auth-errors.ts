import { DomainError } from '../common/errors/domain-error.js';

export const invalidCredentials = (): DomainError =>
  new DomainError('INVALID_CREDENTIALS', 'Wrong e-mail or password');

export const inactiveUser = (): DomainError =>
  new DomainError('INACTIVE_USER', 'This account is not active');

export const incorrectPassword = (): DomainError =>
  new DomainError('INCORRECT_PASSWORD', 'The current password is wrong');
