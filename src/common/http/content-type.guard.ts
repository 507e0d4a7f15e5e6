import {
  Injectable,
  UnsupportedMediaTypeException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { ValidationFailedError } from '../errors/domain-error.js';
import { readsBody } from './body-parsers.js';
import { FORM_TYPE, JSON_TYPE, takesForm } from './form-body.decorator.js';

/** Refuses a body of another type than the route reads, instead of taking it for an empty one. */
@Injectable()
export class ContentTypeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!carriesBody(request)) return true;
    const wantsForm = takesForm(context) === true;
    if (request.is(wantsForm ? FORM_TYPE : JSON_TYPE) !== false) return true;
    if (wantsForm) {
      throw new ValidationFailedError(
        { body: [`must be sent as ${FORM_TYPE}`] },
        `Send a form (${FORM_TYPE}) with the fields username and password`,
      );
    }
    throw new UnsupportedMediaTypeException();
  }
}

function carriesBody(request: Request): boolean {
  return readsBody(request.method) && request.headers['content-length'] !== '0';
}
