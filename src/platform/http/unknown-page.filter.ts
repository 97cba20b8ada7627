import { type ArgumentsHost, Catch, NotFoundException } from '@nestjs/common';
import type { Response } from 'express';

import { unknownPage } from './dashboard.js';
import { ErrorFilter } from './error.filter.js';

/**
 * Nest throws NotFoundException for an address that has no route, and nothing else does. A person who has mistyped the
 * address of a page gets the dashboard, which says so; a program gets the same error as everywhere.
 */
@Catch(NotFoundException)
export class UnknownPageFilter extends ErrorFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const sendPage = unknownPage(response);
    if (sendPage) sendPage();
    else super.catch(error, host);
  }
}
