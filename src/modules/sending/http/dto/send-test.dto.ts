import { PickType } from '@nestjs/swagger';

import { SendEmailDto } from './send-email.dto.js';

export class SendTestDto extends PickType(SendEmailDto, ['to', 'fromEmail', 'fromName', 'variables'] as const) {}
