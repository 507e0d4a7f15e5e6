import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { CalendarModule } from '../../calendar/calendar.module.js';
import { SampleHouseholdModule } from '../sample-household/sample-household.module.js';
import { SandboxDay } from './sandbox-day.js';
import { SandboxDocumentService } from './sandbox-document.service.js';
import { SandboxController } from './sandbox.controller.js';
import { SandboxService } from './sandbox.service.js';

/** The paths of the routes, which are outside the API prefix. */
export const SANDBOX_PATHS = ['sandbox/reset', 'sandbox/today'];

/** What the service has in the sandbox alone. */
@Module({})
export class SandboxModule {
  static register(day: SandboxDay): DynamicModule {
    return {
      module: SandboxModule,
      imports: [AuthModule, CalendarModule, SampleHouseholdModule],
      controllers: [SandboxController],
      providers: [SandboxService, SandboxDocumentService, { provide: SandboxDay, useValue: day }],
    };
  }
}
