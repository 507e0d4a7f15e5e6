import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Lifecycle } from '../platform/process/lifecycle.js';
import { DatabaseHealth } from './database.health.js';
import { ProbesController } from './probes.controller.js';
import { SystemController } from './system.controller.js';

@Module({
  // No logging: the response names the failed component, and every probe would log it again.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [SystemController, ProbesController],
  providers: [DatabaseHealth, Lifecycle],
})
export class SystemModule {}
