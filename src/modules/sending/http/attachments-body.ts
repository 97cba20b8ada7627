import { ApiResponse } from '@nestjs/swagger';

import { ErrorResponse } from '../../../platform/http/error.response.js';

/** Where the bodies of sends have files in base64. */
export const ATTACHMENTS_PATH = ['attachments', null, 'content'] as const;

export const ApiLengthRequiredResponse = (): MethodDecorator =>
  ApiResponse({
    status: 411,
    type: ErrorResponse,
    description: 'The body is larger than 1 MB and has no Content-Length',
  });
