import { PickType } from '@nestjs/swagger';

import { Untransformed } from '../../../../platform/http/validation.js';
import { SendEmailDto } from './send-email.dto.js';

export class SendTestDto extends PickType(SendEmailDto, ['to', 'fromEmail', 'fromName', 'variables'] as const) {}

// PickType does not take it over.
Untransformed()(SendTestDto.prototype, 'variables');
