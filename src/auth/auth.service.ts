import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../common/errors/domain-error.js';
import { invalidToken } from '../common/errors/invalid-token.js';
import type { UserId } from '../common/user-id.js';
import { Database } from '../database/database.js';
import { HouseholdsService } from '../households/households.service.js';
import { InvitationsService } from '../households/invitations.service.js';
import type { User } from '../users/user.entity.js';
import type { UserResponse } from '../users/user.response.js';
import { UsersService } from '../users/users.service.js';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from './access-tokens.js';
import { inactiveUser, incorrectPassword, invalidCredentials } from './auth-errors.js';
import type {
  ChangePasswordDto,
  LoginDto,
  RegisterDto,
  TokenResponse,
  UpdateProfileDto,
} from './dto/auth.dto.js';
import { PasswordHasher } from './password-hasher.js';

/** Accounts and sign-in (see docs/api.md). */
@Injectable()
export class AuthService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly households: HouseholdsService,
    private readonly invitations: InvitationsService,
    private readonly hasher: PasswordHasher,
    private readonly tokens: AccessTokens,
  ) {}

  /**
   * Creates an account: the admin of a new household, or with an invitation a member of that one.
   *
   * @throws DomainError USER_ALREADY_EXISTS; ResourceNotFoundError for the invitation
   */
  async register(dto: RegisterDto): Promise<User> {
    const passwordHash = await this.hasher.hash(dto.password);
    const profile = {
      email: dto.email,
      passwordHash,
      firstName: dto.first_name ?? null,
      lastName: dto.last_name ?? null,
      preferredCurrency: dto.preferred_currency ?? undefined,
      locale: dto.locale ?? undefined,
    };
    return this.database.transaction(async (manager) => {
      if (dto.invitation_code) {
        const householdId = await this.invitations.redeem(manager, dto.invitation_code);
        return this.users.create(manager, { ...profile, householdId, role: 'member' });
      }
      const { id: householdId } = await this.households.found(manager, profile);
      return this.users.create(manager, { ...profile, householdId, role: 'admin' });
    });
  }

  /**
   * Exchanges e-mail and password for an access token. A wrong e-mail and a wrong password cannot be
   * told apart, by the answer or by its time.
   *
   * @throws DomainError INVALID_CREDENTIALS, or INACTIVE_USER when the password is right
   */
  async login(dto: LoginDto): Promise<TokenResponse> {
    const email = (dto.username ?? dto.email)?.toLowerCase();
    if (email === undefined)
      throw new ValidationFailedError({ username: ['username is required'] });

    const user = await this.users.findByEmail(email);
    if (!(await this.hasher.verify(user?.passwordHash, dto.password)) || !user) {
      throw invalidCredentials();
    }
    if (!user.active) throw inactiveUser();
    return {
      access_token: await this.tokens.issue(user.id),
      token_type: 'bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
    };
  }

  async profile(id: UserId): Promise<UserResponse> {
    const profile = await this.users.findProfile(id);
    if (!profile) throw invalidToken();
    return profile;
  }

  private async get(id: UserId): Promise<User> {
    const user = await this.users.findById(id);
    if (!user) throw invalidToken();
    return user;
  }

  async updateProfile(id: UserId, dto: UpdateProfileDto): Promise<User> {
    return this.database.transaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      const profile = {
        firstName: dto.first_name === undefined ? user.firstName : dto.first_name,
        lastName: dto.last_name === undefined ? user.lastName : dto.last_name,
        preferredCurrency: dto.preferred_currency ?? user.preferredCurrency,
        locale: dto.locale ?? user.locale,
      };
      const isChanged = Object.entries(profile).some(
        ([field, value]) => user[field as keyof typeof profile] !== value,
      );
      if (isChanged) await this.users.update(manager, user, profile);
      return user;
    });
  }

  /** @throws DomainError INCORRECT_PASSWORD */
  async changePassword(id: UserId, dto: ChangePasswordDto): Promise<void> {
    const { passwordHash } = await this.get(id);
    if (!(await this.hasher.verify(passwordHash, dto.current_password))) throw incorrectPassword();
    const newHash = await this.hasher.hash(dto.new_password);
    await this.database.transaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      // Another change came first: the password just given is not the current one any more.
      if (user.passwordHash !== passwordHash) throw incorrectPassword();
      await this.users.update(manager, user, { passwordHash: newHash });
    });
  }

  /** Without the current password, for an operator. Tokens that are out stay valid until they expire. */
  async resetPassword(id: UserId, password: string): Promise<void> {
    const passwordHash = await this.hasher.hash(password);
    await this.database.transaction(async (manager) => {
      await this.users.update(manager, await this.users.lock(manager, id), { passwordHash });
    });
  }
}
