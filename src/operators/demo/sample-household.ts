import { LazyModuleLoader } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AuthService } from '../../auth/auth.service.js';
import { DemoData } from './demo-data.js';
import { DemoModule } from './demo.module.js';

/**
 * Creates a user with the sample household in an application, and returns an access token of that
 * user.
 */
export async function createSampleHousehold(
  app: NestExpressApplication,
  account: { email: string; password: string },
): Promise<string> {
  const modules = app.get(LazyModuleLoader, { strict: false });
  await (await modules.load(() => DemoModule)).get(DemoData).create(account);
  const { email: username, password } = account;
  const { access_token } = await app
    .get(AuthService, { strict: false })
    .login({ username, password });
  return access_token;
}
