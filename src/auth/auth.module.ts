import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { HouseholdsModule } from '../households/households.module.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { UsersModule } from '../users/users.module.js';
import { AccessTokens, AccessTokenStrategy, TOKEN_ALGORITHM, tokenKey } from './access-tokens.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { IdentityCache } from './identity-cache.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordResetTokensRepository } from './password-reset-tokens.repository.js';
import { PasswordResetTokensService } from './password-reset-tokens.service.js';
import { PersonalAccessTokensController } from './personal-access-tokens.controller.js';
import { PersonalAccessTokensRepository } from './personal-access-tokens.repository.js';
import { PersonalAccessTokensService } from './personal-access-tokens.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [
    UsersModule,
    HouseholdsModule,
    PassportModule,
    JwtModule.registerAsync({
      inject: [SETTINGS],
      useFactory: (settings: Settings) => ({
        secret: tokenKey(settings),
        verifyOptions: { algorithms: [TOKEN_ALGORITHM] },
        signOptions: { algorithm: TOKEN_ALGORITHM },
      }),
    }),
  ],
  controllers: [AuthController, SessionsController, PersonalAccessTokensController],
  providers: [
    AuthService,
    SessionsService,
    SessionsRepository,
    PersonalAccessTokensService,
    PersonalAccessTokensRepository,
    PasswordResetTokensService,
    PasswordResetTokensRepository,
    AccessTokens,
    AccessTokenStrategy,
    IdentityCache,
    PasswordHasher,
  ],
  exports: [
    AccessTokens,
    AccessTokenStrategy,
    AuthService,
    IdentityCache,
    PasswordHasher,
    PasswordResetTokensService,
    PersonalAccessTokensService,
  ],
})
export class AuthModule {}
