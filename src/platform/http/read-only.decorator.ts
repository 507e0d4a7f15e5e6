import { Reflector } from '@nestjs/core';

/** Whether a route writes nothing although its method is neither GET nor HEAD. */
export const IsReadOnly = Reflector.createDecorator<boolean>();
