import { parseUrl } from '../../../shared/parse-url.js';

export const FORM_FIELDS = ['firstName', 'lastName', 'company'] as const;
export type FormField = (typeof FORM_FIELDS)[number];

export const FORM_STATUSES = ['active', 'disabled'] as const;
export type FormStatus = (typeof FORM_STATUSES)[number];

/** `altcha`: the browser of the person solves a proof of work. */
export const FORM_CHALLENGES = ['altcha', 'none'] as const;
export type FormChallenge = (typeof FORM_CHALLENGES)[number];

/** In characters. */
export const MAX_URL_LENGTH = 2_000;

export const DEFAULT_SUBJECT = 'Please confirm your subscription';

/** The fields of a form that an admin sets. */
export interface FormPlan {
  name: string;
  listIds: string[];
  topicIds: string[];
  /** The fields that the form asks for besides the address. */
  fields: FormField[];
  /** The text that the person agrees to. */
  wording: string;
  fromEmail: string;
  fromName: string | null;
  confirmationSubject: string;
  /** Null: a text of the service. */
  confirmationTemplateId: string | null;
  /** Null: no mail is sent after the confirmation. */
  welcomeTemplateId: string | null;
  /**
   * The page to which the browser goes after the submission, and after the confirmation; null: a page of the service.
   */
  redirectUrl: string | null;
  confirmedUrl: string | null;
  /** Origins of pages that may show or submit the form. */
  allowedOrigins: string[];
  challenge: FormChallenge;
  status: FormStatus;
}

/** A sign-up form of an account. */
export class Form implements FormPlan {
  id!: string;
  accountId!: string;
  name!: string;
  listIds!: string[];
  topicIds!: string[];
  fields!: FormField[];
  wording!: string;
  /** Starts at 1. Each change of the wording or of the topics, which people agree to, makes a new version. */
  wordingVersion!: number;
  fromEmail!: string;
  fromName!: string | null;
  confirmationSubject!: string;
  confirmationTemplateId!: string | null;
  welcomeTemplateId!: string | null;
  redirectUrl!: string | null;
  confirmedUrl!: string | null;
  allowedOrigins!: string[];
  challenge!: FormChallenge;
  status!: FormStatus;
  /** The number of submitted sign-ups, and how many of them were confirmed. */
  submitted!: number;
  confirmed!: number;
  createdAt!: Date;
  updatedAt!: Date;

  static create(id: string, accountId: string, plan: FormPlan, now: Date): Form {
    const counts = { submitted: 0, confirmed: 0 };
    return Object.assign(new Form(), {
      id,
      accountId,
      ...plan,
      wordingVersion: 1,
      ...counts,
      createdAt: now,
      updatedAt: now,
    });
  }

  change(changes: Partial<FormPlan>, now: Date): void {
    const { wording = this.wording, topicIds = this.topicIds } = changes;
    const isNewVersion = wording !== this.wording || topicIds.toSorted().join() !== this.topicIds.toSorted().join();
    Object.assign(this, changes, { updatedAt: now });
    if (isNewVersion) this.wordingVersion += 1;
  }
}

/** Whether the host is a name or an address. URLs permit others, which mean something else in the policy of a page. */
export const hasPlainHost = ({ hostname }: URL): boolean => /^([\w.-]+|\[[\d.:a-f]+\])$/.test(hostname);

/** The origin of a URL without credentials, path, query and fragment; null for anything else. */
export function parseOrigin(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null;
  return url && hasPlainHost(url) && url.href === `${url.origin}/` ? url.origin : null;
}
