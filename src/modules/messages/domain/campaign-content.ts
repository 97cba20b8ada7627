import type { AttributeValue } from '../../../shared/attributes.js';

/** Content of a campaign, frozen when it starts and stored once. Its parts are templates. */
export interface CampaignContent {
  subject: string;
  html: string | null;
  text: string | null;
  variables: Readonly<Record<string, unknown>>;
}

/** The campaign of a message, as shown to users. */
export interface CampaignReference {
  id: string;
  name: string;
}

/** The fields that all messages of a campaign share. */
export interface CampaignEnvelope {
  id: string;
  accountId: string;
  sender: string;
  senderName: string | null;
  replyTo: string | null;
  topicId: string | null;
}

/** A message of a campaign to be accepted. Its id and time were assigned once, and may have been offered before. */
export interface NewCampaignMessage {
  id: string;
  createdAt: Date;
  recipient: string;
  normalisedRecipient: string;
  contactId: string;
  subject: string | null;
  /** The values that the content of the campaign uses. */
  placeholders: Readonly<Record<string, AttributeValue>>;
  unsubscribeUrl: string;
  /** A suppressed message is not accepted, unless an earlier offer of it was. */
  isSuppressed: boolean;
}

/** `duplicate`: stored by an earlier offer. */
export type CampaignIntakeOutcome = 'accepted' | 'duplicate' | 'suppressed' | 'over_cap';
