import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { HouseholdsModule } from '../households/households.module.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { RateLimitsModule } from '../platform/rate-limits/rate-limits.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccessTokens, AccessTokenStrategy, TOKEN_ALGORITHM, tokenKey } from './access-tokens.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { PasswordHasher } from './password-hasher.js';
import { SessionsController } from './sessions.controller.js';

@Module({
  imports: [
    UsersModule,
    HouseholdsModule,
    PassportModule,
    RateLimitsModule,
    JwtModule.registerAsync({
      inject: [SETTINGS],
      useFactory: (settings: Settings) => ({
        secret: tokenKey(settings),
        verifyOptions: { algorithms: [TOKEN_ALGORITHM] },
        signOptions: { algorithm: TOKEN_ALGORITHM },
      }),
    }),
  ],
  controllers: [AuthController, SessionsController],
  providers: [AuthService, AccessTokens, AccessTokenStrategy, PasswordHasher],
  exports: [AccessTokens, AccessTokenStrategy, AuthService],
})
export class AuthModule {}
