import { Inject, Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { EntityManager } from 'typeorm';
import { HouseholdsService } from '../households/households.service.js';
import { InvitationsService } from '../households/invitations.service.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { DomainError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { formatMoney } from '../platform/values/money.js';
import type { Owner, UserId } from '../platform/values/user-id.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { toUserResponse, type UserResponse } from '../users/dto/user.dto.js';
import { invitationRequired } from '../users/registration.js';
import { inactiveUser, invalidToken } from '../users/user-errors.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { AccessTokens } from './access-tokens.js';
import type {
  ChangePasswordDto,
  LoginDto,
  PasswordChangedResponse,
  RegisterDto,
  TokenResponse,
} from './dto/auth.dto.js';
import { IdentityCache } from './identity-cache.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordResetTokensService } from './password-reset-tokens.service.js';
import { PersonalAccessTokensService } from './personal-access-tokens.service.js';
import { SessionsService } from './sessions.service.js';

const invalidCredentials = (): DomainError =>
  new DomainError('INVALID_CREDENTIALS', 'Wrong e-mail or password');

const incorrectPassword = (): DomainError =>
  new DomainError('INCORRECT_PASSWORD', 'The current password is wrong');

/** Registration, sign-in and the password of a user. */
@Injectable()
export class AuthService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly households: HouseholdsService,
    private readonly invitations: InvitationsService,
    private readonly hasher: PasswordHasher,
    private readonly tokens: AccessTokens,
    private readonly identities: IdentityCache,
    private readonly sessions: SessionsService,
    private readonly personalTokens: PersonalAccessTokensService,
    private readonly resetTokens: PasswordResetTokensService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Creates a user: as admin of a new household, or with an invitation as member of the inviting
   * household.
   *
   * @throws DomainError FORBIDDEN without a required invitation, USER_ALREADY_EXISTS,
   *   RESOURCE_CONFLICT when the household is full; ResourceNotFoundError for an invalid invitation
   */
  async register(dto: RegisterDto): Promise<UserResponse> {
    if (this.settings.registration === 'invitation' && !dto.invitation_code) {
      throw invitationRequired();
    }
    return toUserResponse(await this.createUser(dto), this.settings.todayIn);
  }

  /** Creates a user like {@link register}, for operators, whoever else may register. */
  async createUser(dto: RegisterDto): Promise<User> {
    const passwordHash = await this.hasher.hash(dto.password);
    const profile = {
      email: dto.email,
      passwordHash,
      firstName: dto.first_name ?? null,
      lastName: dto.last_name ?? null,
      preferredCurrency: dto.preferred_currency ?? 'USD',
      locale: dto.locale ?? 'en-US',
      timeZone: dto.time_zone ?? this.settings.defaultTimeZone,
      minimumBalance: formatMoney(dto.minimum_balance ?? new Big(0)),
      nextIncomeAmount: dto.next_income_amount ?? 'same',
    };
    return this.database.systemTransaction(async (manager) => {
      if (dto.invitation_code) {
        const invitation = await this.invitations.getOpen(manager, dto.invitation_code); // 404
        const { householdId } = invitation;
        const member = this.users.create(manager, {
          ...profile,
          householdId,
          role: 'member',
        }); // 409: the e-mail
        await this.invitations.use(manager, invitation); // 409: the limit; 404
        return member;
      }
      const { id: householdId } = this.households.create(manager, profile);
      return this.users.create(manager, { ...profile, householdId, role: 'admin' });
    });
  }

  /**
   * Begins a session for e-mail and password, and ends the oldest if the user has too many. Neither
   * the response nor its duration reveals whether the e-mail exists.
   *
   * @throws DomainError INVALID_CREDENTIALS, or INACTIVE_USER when the password is correct
   */
  async login(dto: LoginDto, userAgent?: string): Promise<TokenResponse> {
    const user = await this.users.findByEmail(dto.username ?? dto.email ?? '');
    if (!(await this.hasher.verify(user?.passwordHash, dto.password)) || !user) {
      throw invalidCredentials();
    }
    if (!user.active) throw inactiveUser();
    const session = await this.database.systemTransaction((manager) =>
      this.sessions.signIn(manager, user, userAgent),
    );
    // The password was changed since it was verified, or the user deactivated.
    if (!session) throw invalidCredentials();
    return this.tokens.issue(user.id, session);
  }

  /**
   * Issues a new access token of the same session.
   *
   * @throws DomainError INVALID_TOKEN when the token names no session, or it has ended or expired
   */
  async refresh(user: AuthenticatedUser): Promise<TokenResponse> {
    if (user.sessionId === undefined) throw invalidToken();
    return this.tokens.issue(user.id, await this.sessions.refresh(user, user.sessionId));
  }

  /**
   * @throws DomainError INVALID_TOKEN when the token names no session, or it has ended in the
   *   meantime
   */
  async logout(user: AuthenticatedUser): Promise<void> {
    const { sessionId } = user;
    const isEnded = sessionId !== undefined && (await this.sessions.end(user, sessionId));
    if (!isEnded) throw invalidToken();
  }

  /** @throws ResourceNotFoundError when the user has no such session, or it has ended or expired */
  async endSession(user: AuthenticatedUser, id: string): Promise<void> {
    if (!(await this.sessions.end(user, id))) throw new ResourceNotFoundError('session');
  }

  private async get(id: UserId): Promise<User> {
    const user = await this.users.findById(id);
    if (!user) throw invalidToken();
    return user;
  }

  /**
   * Changes the password, ends all sessions and personal access tokens of the user and begins a new
   * session.
   *
   * @throws DomainError INCORRECT_PASSWORD; INACTIVE_USER when the user is deactivated meanwhile
   */
  async changePassword(
    id: UserId,
    dto: ChangePasswordDto,
    userAgent?: string,
  ): Promise<PasswordChangedResponse> {
    const { passwordHash } = await this.get(id);
    if (!(await this.hasher.verify(passwordHash, dto.current_password))) throw incorrectPassword();
    const newHash = await this.hasher.hash(dto.new_password);
    const session = await this.database.systemTransaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      // The password was changed concurrently, so that the verified one is no longer current.
      if (user.passwordHash !== passwordHash) throw incorrectPassword();
      if (!user.active) throw inactiveUser();
      this.replacePassword(manager, user, newHash);
      return this.sessions.create(manager, user, userAgent);
    }, id);
    const token = await this.tokens.issue(id, session);
    return { message: 'Password updated successfully', ...token };
  }

  /** Sets a password without the current one, for operators, like {@link replacePassword}. */
  async setPassword(id: UserId, password: string): Promise<void> {
    const passwordHash = await this.hasher.hash(password);
    await this.database.systemTransaction(async (manager) => {
      this.replacePassword(manager, await this.users.lock(manager, id), passwordHash);
    });
  }

  /**
   * Changes the e-mail, for operators; sessions and tokens stay, but for reset tokens, which were
   * sent to the old address. Reminders need a confirmation of the new one.
   *
   * @param email normalized
   * @throws DomainError USER_ALREADY_EXISTS
   */
  async changeEmail(user: Owner, email: string): Promise<void> {
    await this.database.systemTransaction(async (manager) => {
      this.identities.invalidateAfterCommit(manager, user.id);
      await this.users.changeEmail(manager, user.id, email);
      this.resetTokens.endAll(manager, user);
    });
  }

  /**
   * Activates or deactivates a user, for operators; a deactivation ends all sessions, personal
   * access tokens and reset tokens. At once in this process, within three seconds in the others,
   * because they cache active users.
   *
   * @returns whether the state changed
   * @throws DomainError RESOURCE_CONFLICT when active members of the household would have no active
   *   admin
   */
  async setActive(user: User, active: boolean): Promise<boolean> {
    return this.database.systemTransaction(async (manager) => {
      if (!(await this.households.assignActive(manager, user, active))) return false;
      if (!active) {
        this.sessions.endAll(manager, user);
        this.personalTokens.endAll(manager, user);
        this.resetTokens.endAll(manager, user);
      }
      this.identities.invalidateAfterCommit(manager, user.id);
      return true;
    });
  }

  /**
   * Sets the password of a locked user, and ends all tokens of the user and all sessions: at once
   * in this process, within three seconds in the others.
   */
  replacePassword(manager: EntityManager, user: User, passwordHash: string): void {
    this.users.update(manager, user, { passwordHash, passwordChangedAt: new Date() });
    this.sessions.endAll(manager, user);
    this.personalTokens.endAll(manager, user);
    this.resetTokens.endAll(manager, user);
  }
}
