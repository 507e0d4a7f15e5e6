import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { DatabaseHealth } from './database.health.js';
import { Lifecycle } from './lifecycle.js';
import { ProbesController } from './probes.controller.js';
import { SystemController } from './system.controller.js';

@Module({
  // What is wrong is in the answer; the log would have it at every probe.
  imports: [TerminusModule.forRoot({ logger: false }), RateLimitsModule],
  controllers: [SystemController, ProbesController],
  providers: [DatabaseHealth, Lifecycle],
})
export class SystemModule {}
