import { Module } from '@nestjs/common';
import { RecordServices } from '../records/record-services.js';
import { ChangesController } from './changes.controller.js';
import { ChangesService } from './changes.service.js';

@Module({ controllers: [ChangesController], providers: [ChangesService, RecordServices] })
export class ChangesModule {}
