import { Module } from '@nestjs/common';
import { MailQueue } from './mail-queue.js';

@Module({ providers: [MailQueue], exports: [MailQueue] })
export class MailModule {}
