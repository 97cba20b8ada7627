import { isDeepStrictEqual } from 'node:util';

import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId, newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { SenderDirectory } from '../../senders/index.js';
import { Form, type FormPlan } from '../domain/form.js';
import { FormTargets } from './form-targets.service.js';
import { FormTemplates } from './form-templates.service.js';
import { FormRepository } from './ports/form.repository.js';

@Injectable()
export class ManageForms {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly forms: FormRepository,
    private readonly targets: FormTargets,
    private readonly senders: SenderDirectory,
    private readonly templates: FormTemplates,
    private readonly clock: Clock,
  ) {}

  async create(accountId: string, plan: FormPlan): Promise<Form> {
    await this.check(accountId, plan, plan);
    const now = this.clock.now();
    const form = Form.create(newId(now), accountId, plan, now);
    await this.forms.add(form);
    return form;
  }

  list(accountId: string, page: PageRequest): Promise<Page<Form>> {
    return this.forms.list(accountId, page);
  }

  async get(accountId: string, id: string): Promise<Form> {
    return found(isId(id) ? await this.forms.find(accountId, id) : null);
  }

  /** Absent parts are kept. Unchanged parts are not checked again: a list may have been deleted meanwhile. */
  async change(accountId: string, id: string, changes: Partial<FormPlan>): Promise<Form> {
    const form = await this.get(accountId, id);
    await this.check(accountId, changedOf(form, changes), { ...form, ...changes });
    return this.transactions.runInLane(accountId, async () => {
      const form = found(await this.forms.findAndLock(accountId, id));
      form.change(changes, this.clock.now());
      await this.forms.save(form);
      return form;
    });
  }

  /** Its links stop working, and its sign-ups are deleted. Records of consent stay. */
  async remove(accountId: string, id: string): Promise<Form> {
    return found(isId(id) ? await this.forms.remove(accountId, id) : null);
  }

  /** Checks the changed fields against the form as it will be. */
  private async check(accountId: string, changes: Partial<FormPlan>, plan: FormPlan): Promise<void> {
    const { name, wording, confirmationSubject, confirmationTemplateId, welcomeTemplateId } = changes;
    await this.targets.require(accountId, changes);
    if (confirmationSubject !== undefined || name !== undefined || wording !== undefined)
      await this.templates.requireSubject(accountId, plan);
    if (confirmationTemplateId != null) await this.templates.requireConfirmation(accountId, confirmationTemplateId);
    if (welcomeTemplateId != null)
      await this.templates.requireExisting(accountId, 'welcome.templateId', welcomeTemplateId);
    const isSenderChecked = changes.fromEmail !== undefined || changes.status !== undefined;
    if (plan.status === 'active' && isSenderChecked) await this.senders.requireVerified(accountId, plan.fromEmail);
  }
}

const changedOf = (form: Form, changes: Partial<FormPlan>): Partial<FormPlan> =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => !isDeepStrictEqual(value, form[name as keyof FormPlan])),
  );

function found(form: Form | null): Form {
  if (!form) throw DomainError.notFound('Form');
  return form;
}
