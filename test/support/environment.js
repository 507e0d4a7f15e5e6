// @ts-check
import * as throttler from '@nestjs/throttler';
import { TestEnvironment } from 'jest-environment-node';

/**
 * @nestjs/throttler is CommonJS and requires Nest, which is ESM: Node can do that, Jest on Node below
 * 24.9 cannot. The environment is loaded by Node itself and hands the package on; see throttler.js.
 */
export default class Environment extends TestEnvironment {
  /** @override */
  async setup() {
    await super.setup();
    Object.assign(this.global, { throttler });
  }
}
