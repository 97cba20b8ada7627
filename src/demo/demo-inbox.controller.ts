import { Controller, Get, Param } from '@nestjs/common';

import { Session } from '../platform/http/access/access.js';
import { DomainError } from '../shared/domain-error.js';
import { type CaughtMail, Inbox } from './inbox.js';

@Controller('api/demo/inbox')
export class DemoInboxController {
  constructor(private readonly inbox: Inbox) {}

  /** Lists the caught mails, newest first. */
  @Get()
  @Session()
  list(): { items: object[] } {
    return { items: this.inbox.mails.map(toItem).reverse() };
  }

  /** Returns one mail with its parts and its source. */
  @Get(':number')
  @Session()
  get(@Param('number') number: string): object {
    const mail = this.inbox.mails.find((caught) => String(caught.number) === number);
    if (!mail) throw DomainError.notFound('Mail');
    const { html, text } = mail.parsed;
    return { ...toItem(mail), html: html || null, text: text ?? '', raw: mail.raw };
  }
}

const toItem = ({ number, receivedAt, envelopeTo, parsed }: CaughtMail) => ({
  number,
  receivedAt,
  from: parsed.from?.text ?? '',
  to: envelopeTo,
  subject: parsed.subject ?? '',
});
