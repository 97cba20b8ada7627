import type { Config } from '../../../config/config.js';
import type { KeyCaller } from '../../../platform/http/access/caller.js';
import { validateEach } from '../../../platform/http/validation.js';
import { BYTES_PER_MB } from '../../../shared/bytes.js';
import { DomainError } from '../../../shared/domain-error.js';
import { bytesOf } from '../domain/attachment.js';
import type { EmailRequest, SmsRequest } from '../domain/send-request.js';
import { unsubscribeUrlFault } from '../domain/unsubscribe-url.js';
import { SendEmailDto } from './dto/send-email.dto.js';
import { SendSmsDto } from './dto/send-sms.dto.js';
import { ownerOf } from './owner-of.js';

/** Validates the messages of a batch, each like the body of a single send. */
export class ReadBatch {
  private readonly allowsHttp: boolean;
  private readonly maxAttachmentsMb: number;

  constructor({ baseUrl, maxAttachmentsMb }: Config) {
    this.allowsHttp = baseUrl.startsWith('http:');
    this.maxAttachmentsMb = maxAttachmentsMb;
  }

  async emails(caller: KeyCaller, messages: readonly unknown[]): Promise<(EmailRequest | DomainError)[]> {
    const validated = await validateEach(SendEmailDto, messages);
    return validated.map((message) =>
      message instanceof DomainError ? message : (this.faultOf(message) ?? { ...message, ...ownerOf(caller) }),
    );
  }

  async sms(caller: KeyCaller, messages: readonly unknown[]): Promise<(SmsRequest | DomainError)[]> {
    const validated = await validateEach(SendSmsDto, messages);
    return validated.map((message) => (message instanceof DomainError ? message : { ...message, ...ownerOf(caller) }));
  }

  private faultOf({ unsubscribeUrl, attachments }: SendEmailDto): DomainError | undefined {
    const fault = unsubscribeUrl == null ? undefined : unsubscribeUrlFault(unsubscribeUrl, this.allowsHttp);
    if (fault) return DomainError.invalid(fault);
    const bytes = attachments?.reduce((sum, { content }) => sum + bytesOf(content).length, 0) ?? 0;
    return bytes > this.maxAttachmentsMb * BYTES_PER_MB
      ? DomainError.invalid(`attachments are larger than ${this.maxAttachmentsMb} MB together`)
      : undefined;
  }
}
