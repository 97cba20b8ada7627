import { Injectable } from '@nestjs/common';

import { isId } from '../../../shared/ids.js';
import { AccountDirectory, type AccountProfile } from '../../accounts/index.js';
import { TopicDirectory } from '../../topics/index.js';
import type { Form } from '../domain/form.js';
import type { WordedSignup } from '../domain/signup.js';
import { FormRepository } from './ports/form.repository.js';

/** A form with the public profile of its account. */
export interface BrandedForm extends Form {
  account: AccountProfile;
}

@Injectable()
export class FormDirectory {
  constructor(
    private readonly forms: FormRepository,
    private readonly accounts: AccountDirectory,
    private readonly topics: TopicDirectory,
  ) {}

  async find(accountId: string, id: string): Promise<BrandedForm | null> {
    return this.withAccount(await this.forms.find(accountId, id));
  }

  /** The form that anybody may submit; null if it is unknown or disabled. */
  async findActive(id: string): Promise<BrandedForm | null> {
    const form = isId(id) ? await this.forms.findAcrossAccounts(id) : null;
    return form?.status === 'active' ? this.withAccount(form) : null;
  }

  /** The topic of the mail to somebody who has signed up for that one alone; null for a deleted one. */
  async findOnlyTopic(form: Form, signup: WordedSignup): Promise<string | null> {
    const [topicId, ...others] = signup.topicIds ?? form.topicIds;
    if (topicId === undefined || others.length > 0) return null;
    const topic = await this.topics.find(form.accountId, topicId);
    return topic?.deletedAt === null ? topicId : null;
  }

  private async withAccount(form: Form | null): Promise<BrandedForm | null> {
    const account = form && (await this.accounts.findProfile(form.accountId));
    return account && Object.assign(form, { account });
  }
}
