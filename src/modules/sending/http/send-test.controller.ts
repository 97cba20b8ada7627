import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { holdingBody, TakesAttachments } from '../../../platform/http/large-body/large-body.reader.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { isId } from '../../../shared/ids.js';
import { DomainError } from '../../../shared/domain-error.js';
import { RenderTemplate } from '../../templates/index.js';
import { AcceptEmail } from '../application/accept-email.service.js';
import { ATTACHMENTS_PATH } from './attachments-body.js';
import { SendTestDto } from './dto/send-email.dto.js';
import { ReportAcceptedSend } from './report-accepted-send.js';
import { QueuedEmailResponse } from './send.response.js';

@Controller('api/templates')
@ApiTags('Templates')
export class SendTestController {
  constructor(
    private readonly templates: RenderTemplate,
    private readonly acceptEmail: AcceptEmail,
    private readonly reportAcceptedSend: ReportAcceptedSend,
  ) {}

  /** Sends a template to one address as a test. The message is subject to all rules and to the account's daily cap. */
  @Post(':id/test')
  @OperationId('sendTestEmail')
  @Session('admin')
  @TakesAttachments(...ATTACHMENTS_PATH)
  @ApiCreatedResponse({ type: QueuedEmailResponse })
  @ApiBadRequestResponse({
    type: ErrorResponse,
    description: 'Invalid payload, suppressed recipient, unverified sender',
  })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiTooManyRequestsResponse({
    type: ErrorResponse,
    description: 'The account has reached its daily cap, or that of test content',
  })
  @ApiErrors({
    suppressed: true,
    unsubscribed_from_topic: true,
    sender_not_verified: true,
    template_fault: true,
    missing_variable: true,
    daily_limit: true,
  })
  async sendTest(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') templateId: string,
    @Body() body: SendTestDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<QueuedEmailResponse> {
    if (!isId(templateId)) throw DomainError.notFound('Template');
    // A missing template takes precedence over errors of the mail.
    await this.templates.preview(accountId, templateId, body.variables ?? {});
    const accepted = await holdingBody(response, () =>
      this.acceptEmail.accept({ ...body, templateId, accountId, apiKeyId: null, keyLimit: null }),
    );
    this.reportAcceptedSend.count(response.req, 'email', accepted);
    return QueuedEmailResponse.from(accepted);
  }
}
