import type { components, paths } from './schema.js';

type Schemas = components['schemas'];
type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Filters } } }
  ? NonNullable<Filters>
  : never;

/** A string needs an offset: `2026-12-01T09:00:00+01:00`. */
export type Time = Date | string;

export type MessageStatus = Schemas['MessageResponse']['status'];

/** `content` is the file, or a string with its base64. */
export type Attachment = Omit<Schemas['AttachmentDto'], 'content'> & {
  content: string | Uint8Array | ArrayBuffer | Blob;
};

export type Email = Omit<Schemas['SendEmailDto'], 'attachments' | 'scheduledAt'> & {
  /** At most 20 files, together at most 10 MB (or as the installation is configured). */
  attachments?: readonly Attachment[];
  /** The message is not sent before this time; at most 90 days ahead. */
  scheduledAt?: Time | null;
};

export type Sms = Omit<Schemas['SendSmsDto'], 'scheduledAt'> & {
  /** The message is not sent before this time; at most 90 days ahead. */
  scheduledAt?: Time | null;
};

export type BatchMode = NonNullable<Schemas['SendEmailBatchDto']['mode']>;
export type QueuedEmail = Schemas['QueuedEmailResponse'];
export type QueuedSms = Schemas['QueuedSmsResponse'];
export type QueuedBatch = Schemas['QueuedBatchResponse'];
export type SmsPreview = Schemas['SmsPreviewResponse'];

/** Omits `test`, which is for sessions: the messages of a test key are test messages. */
type Filters<Path extends keyof paths> = Omit<
  Query<Path>,
  'cursor' | 'limit' | 'page' | 'status' | 'scheduled' | 'test' | 'from' | 'to'
>;

interface MessageSelection {
  status?: MessageStatus | readonly MessageStatus[];
  /** Only messages that wait for their scheduled time. */
  scheduled?: true;
  /** Only messages that were accepted at this time or later. A date without a time is the start of that UTC day. */
  from?: Time;
  /** Only messages that were accepted before this time. A date without a time includes that UTC day. */
  to?: Time;
}

export type MessageFilters = Filters<'/api/messages'> & MessageSelection;
export type MessageTotalsFilters = Filters<'/api/messages/aggregate'> & MessageSelection;
/** `limit`: 1 to 100, 25 by default. `cursor`: the `nextCursor` of the previous page with the same filters. */
export type MessagePageOptions = MessageFilters & { limit?: number; cursor?: string };
export type Message = Schemas['MessageResponse'];
export type MessageDetail = Schemas['MessageDetailResponse'];
export type MessagePage = Schemas['MessagePageResponse'];
export type MessageTotals = Schemas['MessageTotalsResponse'];
/** `after`: the `nextCursor` of an earlier page, or the `cursor` of the last event that was processed. */
export interface EventFeedOptions {
  after?: string;
  /** All by default. */
  types?: readonly FeedEvent['type'][];
}
/** `limit`: 1 to 100, 25 by default. `wait`: how many seconds to wait for an event, 0 by default, 30 at most. */
export type EventPageOptions = EventFeedOptions & { limit?: number; wait?: number };
export type FeedEvent = Schemas['FeedEventResponse'];
export type EventPage = Schemas['EventFeedResponse'];
export type CanceledMessages = Schemas['CanceledMessagesResponse'];

export type ContactFilters = Omit<Query<'/api/contacts'>, 'page' | 'limit'>;
/** `limit`: 1 to 100, 25 by default. `page`: from 1. */
export type ContactPageOptions = Query<'/api/contacts'>;
export type Contact = Schemas['ContactResponse'];
export type ContactPage = Schemas['ContactPageResponse'];
export type ContactFields = Schemas['UpsertContactDto'];
/** `consentAt` records a consent with the contact. */
export type ImportedContact = Schemas['ImportedContactDto'];
export type ContactChanges = Schemas['ChangeContactDto'];
export type ContactImport = Schemas['ContactImportResponse'];

/** Either `email` or `phone`. */
export type ConsentAddress = Query<'/api/consents/standing'>;
export type ConsentFields = Omit<Schemas['RecordConsentDto'], 'occurredAt'> & {
  /** The time of the consent, not in the future. Default: now. */
  occurredAt?: Time | null;
};
export type ConsentFilters = Omit<Query<'/api/consents'>, 'cursor' | 'limit' | 'from' | 'to'> & {
  /** Only consents recorded at this time or later. A date without a time is the start of that UTC day. */
  from?: Time;
  /** Only consents recorded before this time. A date without a time includes that UTC day. */
  to?: Time;
};
/** `limit`: 1 to 100, 25 by default. `cursor`: the `nextCursor` of the previous page with the same filters. */
export type ConsentPageOptions = ConsentFilters & { limit?: number; cursor?: string };
export type Consent = Schemas['ConsentResponse'];
export type ConsentPage = Schemas['ConsentPageResponse'];
export type StandingConsent = Schemas['StandingConsentResponse'];

/** `limit`: 1 to 100, 25 by default. `page`: from 1. */
export type ListPageOptions = Query<'/api/lists'>;
export type List = Schemas['ListResponse'];
export type ListPage = Schemas['ListPageResponse'];

/** `limit`: 1 to 100, 25 by default. `page`: from 1. */
export type TopicPageOptions = Query<'/api/topics'>;
export type Topic = Schemas['TopicResponse'];
export type TopicPage = Schemas['TopicPageResponse'];

/** Omits `test`, which is for sessions: a test key reads the suppressions of test keys. */
export type SuppressionFilters = Omit<Query<'/api/suppressions'>, 'page' | 'limit' | 'test'>;
/** `limit`: 1 to 100, 25 by default. `page`: from 1. */
export type SuppressionPageOptions = Omit<Query<'/api/suppressions'>, 'test'>;
export type Suppression = Schemas['SuppressionResponse'];
export type SuppressionPage = Schemas['SuppressionPageResponse'];
