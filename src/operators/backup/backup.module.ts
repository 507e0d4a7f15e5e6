import { Module } from '@nestjs/common';
import { ExportService } from './export.service.js';
import { RestoreService } from './restore.service.js';

@Module({ providers: [ExportService, RestoreService], exports: [ExportService, RestoreService] })
export class BackupModule {}
