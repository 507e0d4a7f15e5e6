import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DatabaseHealth } from './database.health.js';
import { ProbesController } from './probes.controller.js';
import { SystemController } from './system.controller.js';

@Module({
  // What is wrong is in the answer; the log would have it at every probe.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [SystemController, ProbesController],
  providers: [DatabaseHealth],
})
export class SystemModule {}
