import { Module } from '@nestjs/common';
import { AssistantsController } from './assistants.controller.js';
import { AssistantsService } from './assistants.service.js';
import { OperationClient } from './operation-client.js';

@Module({
  controllers: [AssistantsController],
  providers: [AssistantsService, OperationClient],
})
export class AssistantsModule {}
