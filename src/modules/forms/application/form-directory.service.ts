import { Injectable } from '@nestjs/common';

import { isId } from '../../../shared/ids.js';
import { AccountDirectory, type AccountProfile } from '../../accounts/index.js';
import type { Form } from '../domain/form.js';
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
  ) {}

  async find(accountId: string, id: string): Promise<BrandedForm | null> {
    return this.withAccount(await this.forms.find(accountId, id));
  }

  /** The form that anybody may submit; null if it is unknown or disabled. */
  async findActive(id: string): Promise<BrandedForm | null> {
    const form = isId(id) ? await this.forms.findAcrossAccounts(id) : null;
    return form?.status === 'active' ? this.withAccount(form) : null;
  }

  private async withAccount(form: Form | null): Promise<BrandedForm | null> {
    const account = form && (await this.accounts.findProfile(form.accountId));
    return account && Object.assign(form, { account });
  }
}
