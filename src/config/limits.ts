/*
 * The limits that an operator, or a reader of the documentation, may ask for. Limits that matter to one algorithm alone
 * are beside it. `npm run limits` writes this file as the table in docs/operations.md: a heading for each line comment,
 * the first sentence of each doc comment as the limit, and the others as its reason. The ending of a name is its unit.
 * A limit that can be set has the name of its variable, and the value that it has otherwise.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

// Requests

/** Requests that one process handles at a time. If not set, one for each 4 MB of heap, and at least 100. */
export const MAX_REQUESTS_IN_FLIGHT = { min: 10, max: 100_000 };
/** Receiving the headers, from the first byte of the request or the start of the connection. */
export const HEADERS_TIMEOUT_MS = 30 * SECOND_MS;
/** Receiving a whole request, including a streamed one. */
export const REQUEST_TIMEOUT_MS = 5 * MINUTE_MS;
/** Receiving a body of up to 1 MB, or sending a response. */
export const TRANSFER_TIMEOUT_MS = 30 * SECOND_MS;
/** The same while more than half of the possible requests are in use. Slow clients must not lock out others. */
export const CROWDED_TRANSFER_TIMEOUT_MS = SECOND_MS;
/** A connection without traffic in either direction. */
export const STALL_TIMEOUT_MS = 2 * MINUTE_MS;
/** An idle connection. Longer than load balancers keep them, so that they use none that is being closed. */
export const KEEP_ALIVE_MS = 75 * SECOND_MS;
/** Unanswered requests of one connection. Beyond that it is closed. */
export const MAX_UNANSWERED_REQUESTS = 64;
/** Entries of a page, if the request does not say. */
export const DEFAULT_PAGE_SIZE = 25;
/** Entries of a page. */
export const MAX_PAGE_SIZE = 100;
/** The wait of a list, search, aggregate or batch of an export for its turn. */
export const READ_WAIT_MS = 10 * SECOND_MS;
/** Exports of an account that run at a time, per process. */
export const EXPORTS_PER_ACCOUNT = 4;

// Accounts, users and keys

/** Messages of a new account per UTC day. */
export const DEFAULT_DAILY_SEND_CAP = 1_000;
/** The largest daily cap that an account can have. */
export const MAX_DAILY_SEND_CAP = 100_000_000;
/** The share of the daily cap that campaigns may use, unless the settings name another. */
export const DEFAULT_CAMPAIGN_CAP_PERCENT = 90;
/** The share of the daily cap that mails of sign-up forms may use. Strangers cause them; the rest is for other mail. */
export const FORM_CAP_PERCENT = 90;
/** The name of an account. */
export const MAX_ACCOUNT_NAME_LENGTH = 100;
/** The shortest password. */
export const MIN_PASSWORD_LENGTH = 8;
/** The longest password. */
export const MAX_PASSWORD_LENGTH = 200;
/** A session of the dashboard. */
export const SESSION_LIFETIME_SECONDS = 12 * 3_600;
/** Failed logins for one email address, or with wrong keys from one address by SMTP, in the window of logins. */
export const MAX_FAILED_LOGINS = 10;
/** Failed logins of one client for all addresses in the window of logins. People behind one router share it. */
export const MAX_FAILED_LOGINS_PER_CLIENT = 200;
/** The window of logins, which begins with the first failure. */
export const LOGIN_WINDOW_MS = 15 * MINUTE_MS;
/** Logins that wait for the hashing of their password, per process. It takes about two seconds. */
export const MAX_WAITING_LOGINS = 50;
/** Keys of an account, live and test, expired ones included. Revoked ones do not count: keys are replaced for years. */
export const MAX_KEYS = 200;
/** Messages of a test key per UTC day, unless it has a limit. It would fill the disk with what nobody counts. */
export const TEST_MESSAGES_PER_DAY = 10_000;
/** Content of the test messages of an account per UTC day. They count under no cap of the account. */
export const TEST_CONTENT_BYTES_PER_DAY = 200_000_000;

// Messages

/** Attachments of a send together, decoded. */
export const MAX_ATTACHMENTS_MB = { fallback: 10, min: 1, max: 25 };
/** Attachments of a send. */
export const MAX_ATTACHMENTS = 20;
/** Addresses in each of cc and bcc. */
export const MAX_COPIES = 20;
/** Headers that a send adds. */
export const MAX_CUSTOM_HEADERS = 20;
/** The value of a header that a send adds. RFC 5322 allows lines of 998 bytes. */
export const MAX_CUSTOM_HEADER_BYTES = 900;
/** Tags of a message. */
export const MAX_MESSAGE_TAGS = 10;
/** Fields of the metadata of a message. */
export const MAX_METADATA_FIELDS = 20;
/** All names and values of the metadata of a message together. */
export const MAX_METADATA_BYTES = 4_096;
/** The display name in From. */
export const MAX_SENDER_NAME_LENGTH = 200;
/** The subject of a message. The longest line of RFC 5322. */
export const MAX_SUBJECT_LENGTH = 998;
/** The html of a message, and its text. */
export const MAX_BODY_PART_LENGTH = 1_000_000;
/** The URL that unsubscribes from a message. */
export const MAX_UNSUBSCRIBE_URL_LENGTH = 2_048;
/** Segments of an SMS. */
export const MAX_SMS_SEGMENTS = 10;
/** The text of an SMS. Ten segments of GSM-7: any longer text is too long in every encoding. */
export const MAX_SMS_LENGTH = MAX_SMS_SEGMENTS * 153;
/** Stop words of an account's own. */
export const MAX_STOP_WORDS = 20;
/** A stop word. */
export const MAX_STOP_WORD_LENGTH = 30;
/** Messages of a batch. */
export const MAX_BATCH_MESSAGES = 500;
/** Batches of an account that are stored at a time, per process. One waits for the counters while another uses them. */
export const BATCHES_PER_ACCOUNT = 2;
/** The wait of a batch for its turn. */
export const BATCH_WAIT_MS = 5 * SECOND_MS;
/** How far ahead messages and campaigns are scheduled. */
export const MAX_SCHEDULED_DAYS = 90;
/** How far in the past a scheduled time may be. It then means now: requests take a while, and clocks are behind. */
export const PAST_TOLERANCE_MS = 5 * MINUTE_MS;
/** Messages that one request cancels. */
export const MAX_CANCELED_AT_A_TIME = 1_000;
/** How long a request with an Idempotency-Key is recognised when it is repeated. */
export const IDEMPOTENCY_KEY_HOURS = 24;
/** Rendered content that waits to be stored, per process. Beyond that sends get 503. */
export const MAX_UNSTORED_LENGTH = 150_000_000;
/** Rendered content of one account that waits to be stored, per process. */
export const MAX_UNSTORED_LENGTH_PER_ACCOUNT = 50_000_000;

// Mail submitted by SMTP

/** Connections of one process. */
export const SMTP_MAX_CONNECTIONS = { fallback: 200, min: 1, max: 100_000 };
/** Connections of an IPv4 address or an IPv6 /64, per process. */
export const SMTP_CONNECTIONS_PER_NETWORK = 20;
/** Recipients of a mail. */
export const MAX_ENVELOPE_RECIPIENTS = 50;
/** From the connection to the authentication. */
export const SMTP_LOGIN_TIMEOUT_MS = MINUTE_MS;
/** Between two commands after the authentication. RFC 5321 §4.5.3.2.7. */
export const SMTP_IDLE_TIMEOUT_MS = 5 * MINUTE_MS;
/** How long clients may finish their mail when the service stops. A third of SHUTDOWN_GRACE_MS, if that is less. */
export const SMTP_FINISH_WITHIN_MS = 5 * SECOND_MS;

// Delivery

/** Jobs of each queue that a process runs at a time. */
export const JOBS_AT_A_TIME = {
  'email-delivery': 100,
  'sms-delivery': 50,
  'bulk-delivery': 50,
  'bulk-sms-delivery': 50,
  'webhook-delivery': 10,
  campaigns: 50,
  maintenance: 2,
};
/** Messages of an account that a process delivers at a time. Enough to keep its connections busy. */
export const DELIVERED_PER_ACCOUNT = 150;
/** Messages of an account that wait in a process. Others return to the queue: a slow relay delays no other account. */
export const WAITING_PER_ACCOUNT = 5_000;
/** Messages of all accounts under delivery above which jobs wait for theirs. They are held in memory. */
export const MAX_DETACHED = 25_000;
/** Attachments and texts of mails above 1 MB that a process holds to deliver them. An account may use a sixth. */
export const MAX_HELD_FILES_MB = 160;
/** The same of smaller mails. They never wait for large ones. */
export const MAX_HELD_SMALL_FILES_MB = 32;
/** Accepted messages that wait for a slow queue, per process. Others wait for the sweep. */
export const MAX_WAITING_FOR_QUEUE = 50_000;
/** A message without a job is enqueued by the sweep after this time. */
export const JOB_EXPECTED_WITHIN_MS = MINUTE_MS;
/** After this time, others deliver the messages of a worker that was killed. A running one renews its leases. */
export const DELIVERY_LEASE_MS = 30 * SECOND_MS;
/** The delays between the attempts, plus up to 10 %. About a day in total. */
export const DELIVERY_DELAYS_MS = [
  ...[1, 3, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[2, 6, 15].map((hours) => hours * HOUR_MS),
];
/** After this time, a message is given up that its account's provider keeps postponing. */
export const GIVE_UP_AFTER_MS = 48 * HOUR_MS;
/** The next address of a host, if one does not answer. */
export const NEXT_ADDRESS_AFTER_MS = SECOND_MS;
/** The slowest upload of a mail to a relay or to AWS. A large mail has more time. */
export const SLOWEST_UPLOAD_BYTES_PER_SECOND = 50_000;
/** One answer of a webhook endpoint or provider, or the replies of a relay to one mail. Several times the largest. */
export const MAX_ANSWER_BYTES = 524_288;
/** Connections to a relay, per process. */
export const CONNECTIONS_PER_RELAY = 10;
/** Messages of a connection to a relay. */
export const MESSAGES_PER_CONNECTION = 1_000;
/** Relays with connections, per process. Those of the least recently used one are closed. */
export const MAX_RELAYS = 500;
/** Connecting to a relay. */
export const RELAY_CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
/** The silence of a relay. */
export const RELAY_SILENCE_TIMEOUT_MS = MINUTE_MS;
/** An idle connection to a relay. */
export const RELAY_IDLE_TIMEOUT_MS = 30 * SECOND_MS;
/**
 * Logging in at a relay, sending a mail, for which it gets 1 s more for each 50 kB, and its reply. A relay that reads
 * or responds byte by byte would hold a mail in memory for days.
 */
export const RELAY_TRANSACTION_TIMEOUT_MS = 2 * MINUTE_MS;
/** Connections per process, AWS service and account. */
export const CONNECTIONS_PER_AWS_ACCOUNT = 100;
/** Submissions per process, AWS service and account. The other connections are for calls that send nothing. */
export const AWS_SUBMISSIONS = 90;
/** Those of them that campaigns may use. */
export const BULK_AWS_SUBMISSIONS = 60;
/** Connecting to AWS. */
export const AWS_CONNECT_TIMEOUT_MS = 5 * SECOND_MS;
/** The reply of AWS. Longer than its services take when they are slow: giving up too early would send twice. */
export const AWS_ANSWER_TIMEOUT_MS = MINUTE_MS;
/** Connections to Twilio, and SMS that are submitted at a time, per process. */
export const TWILIO_CONNECTIONS = 100;
/** Those of them that one account at Twilio may use. */
export const CONNECTIONS_PER_TWILIO_ACCOUNT = 50;
/** Connecting to Twilio. */
export const TWILIO_CONNECT_TIMEOUT_MS = 5 * SECOND_MS;
/** The reply of Twilio. Giving up too early would send twice. */
export const TWILIO_ANSWER_TIMEOUT_MS = MINUTE_MS;
/** The rate of an SES account that does not permit ses:GetAccount. SES grants it to accounts that leave the sandbox. */
export const DEFAULT_SES_RATE_PER_SECOND = 14;
/** How long the quota of an SES account is believed. */
export const SES_RATE_KEPT_MS = 5 * MINUTE_MS;
/** The pause of an account whose daily quota at its provider is used up. That of SES recovers gradually. */
export const QUOTA_PAUSE_MS = 15 * MINUTE_MS;
/** The pause of an account whose provider refuses it. Not to retry in vain, and to go on soon after it is fixed. */
export const PAUSE_UNTIL_FIXED_MS = 5 * MINUTE_MS;
/** The check of a provider's connection. A user waits for it. */
export const PROVIDER_CHECK_TIMEOUT_MS = 15 * SECOND_MS;
/** Pages of 100 numbers that all opt-out syncs together request, per access key and region. */
export const SMS_SYNC_PAGES_PER_SECOND = { fallback: 1, min: 1, max: 1_000 };
/** How long an opt-out sync waits after the process that ran it was killed. */
export const OPT_OUT_SYNC_LEASE_MS = 30 * SECOND_MS;

// Templates and campaigns

/** Templates of an account. */
export const MAX_TEMPLATES = 1_000;
/** Versions of a template that are kept, including the newest. */
export const MAX_TEMPLATE_VERSIONS = 100;
/** The html of a template, and its text, as saved. */
export const MAX_TEMPLATE_BODY_LENGTH = 500_000;
/** Campaigns of an account, ended ones included. Each keeps its content until it is deleted. */
export const MAX_CAMPAIGNS = 5_000;
/** Campaigns of an account that run at a time. */
export const MAX_RUNNING_CAMPAIGNS = 10;
/** Recipients of a campaign. */
export const MAX_CAMPAIGN_RECIPIENTS = 1_000_000;
/** Messages that a campaign may be told to send per minute. */
export const MAX_CAMPAIGN_RATE_PER_MINUTE = 60_000;
/** The name of a campaign. */
export const MAX_CAMPAIGN_NAME_LENGTH = 100;
/** A start that is missed by more than this needs the decision of a person. */
export const CAMPAIGN_MISSED_AFTER_MS = HOUR_MS;
/** After this time, others run a campaign whose worker was killed. Each step of a run renews its lease. */
export const CAMPAIGN_LEASE_MS = 15 * SECOND_MS;

// Contacts, imports and suppressions

/** Topics of an account. */
export const MAX_TOPICS = 100;
/** Lists of an account. */
export const MAX_LISTS = 1_000;
/** Lists of a contact. */
export const MAX_LISTS_OF_CONTACT = 100;
/** Tags of a contact. */
export const MAX_CONTACT_TAGS = 100;
/** A tag of a contact. */
export const MAX_CONTACT_TAG_LENGTH = 100;
/** The first name, last name and company of a contact, each. */
export const MAX_CONTACT_NAME_LENGTH = 200;
/** Contacts that one request imports. */
export const MAX_IMPORTED_CONTACTS = 5_000;
/** The body of a request that imports contacts. */
export const MAX_CONTACT_IMPORT_MB = 10;
/** A file of contacts. */
export const MAX_IMPORT_FILE_MB = 256;
/** Rows of a file of contacts. */
export const MAX_IMPORT_ROWS = 5_000_000;
/** Unfinished imports of an account. */
export const MAX_UNFINISHED_IMPORTS = 5;
/** The upload of a file of contacts. */
export const IMPORT_UPLOAD_TIMEOUT_MS = 10 * MINUTE_MS;
/** After this time, others continue the import of a worker that was killed. */
export const IMPORT_LEASE_MS = 30 * SECOND_MS;
/** An import that is not finished by then fails, and its file is removed. Files hold personal data. */
export const MAX_IMPORT_DAYS = 1;
/** The report of an import. */
export const IMPORT_REPORT_DAYS = 30;
/** Errors of rows that the report of an import has. It keeps the first ones. */
export const MAX_IMPORT_ERRORS = 100;
/** A file of suppressions. */
export const MAX_SUPPRESSION_FILE_MB = 10;
/** The note of a suppression. */
export const MAX_NOTE_LENGTH = 500;

// Sign-up forms

/** Forms of an account. */
export const MAX_FORMS = 100;
/** The name of a form. */
export const MAX_FORM_NAME_LENGTH = 100;
/** Lists to which one form adds. */
export const MAX_LISTS_OF_FORM = 20;
/** Topics to which one form subscribes. */
export const MAX_TOPICS_OF_FORM = 20;
/** Origins that may embed one form. */
export const MAX_ALLOWED_ORIGINS = 20;
/** How long a confirmation link can be used and a sign-up is kept. */
export const SIGNUP_DAYS = 7;
/** Submissions of one client in an hour, for all forms of an account. Further ones are dropped without a word. */
export const SUBMISSIONS_PER_CLIENT = 30;
/** Confirmation mails of one account to one address. Further sign-ups are dropped. */
export const CONFIRMATION_MAILS_PER_ADDRESS = { perHour: 1, perDay: 3 };

// Domains and senders

/** Domains of an account, in any state. */
export const MAX_DOMAINS = 500;
/** Unverified domains of an account. Each is looked up in DNS periodically. */
export const MAX_UNVERIFIED_DOMAINS = 50;
/** Checks of domains that an account may request. Each queries DNS and SES. */
export const DOMAIN_CHECKS_PER_MINUTE = 60;
/** A domain that is not verified by then fails. */
export const DOMAIN_FAILED_AFTER_MS = 72 * HOUR_MS;
/** A verified domain whose records are missing for so long is no longer verified. A day, less a margin. */
export const DOMAIN_LOST_AFTER_MS = 23 * HOUR_MS;
/**
 * Mails with a verification link: of an account, to a mailbox from all accounts of the installation, and from one
 * account to one address. So no account can exhaust the limit of a mailbox.
 */
export const VERIFICATION_MAILS_PER_DAY = { account: 50, address: 10, accountAndAddress: 5 };
/** The time between two mails from one account to one address. */
export const VERIFICATION_MAIL_INTERVAL_SECONDS = 60;
/** A verification link. */
export const VERIFICATION_LINK_LIFETIME_MS = 24 * HOUR_MS;

// Events and tracking

/** Requests of an account that wait for events, per process. */
export const WAITS_PER_ACCOUNT = 1_000;
/** Requests of all accounts that wait for events, per process. */
export const WAITS_PER_PROCESS = 4_000;
/** Opens and clicks on the timeline of a message. Further ones are only counted: anybody can repeat them. */
export const MAX_VISITS_KEPT = 1_000;
/** Opens and clicks that wait to be recorded, per process. Further ones are dropped. */
export const MAX_WAITING_VISITS = 10_000;
/** A rewritten link. Proxies and browsers refuse longer ones, so links that would exceed it are not rewritten. */
export const MAX_TRACKED_URL_LENGTH = 4_096;
/** Provider events without a message. It may still become known. */
export const UNMATCHED_EVENTS_KEPT_DAYS = 1;
/** Provider events of an unknown type. An operator has to notice and examine them. */
export const UNKNOWN_EVENTS_KEPT_DAYS = 30;
/** Posts of providers that are recognised when they are repeated. Longer than any provider repeats one. */
export const SEEN_REPORTS_KEPT_DAYS = 7;

// Webhooks

/** Endpoints of an account. */
export const MAX_WEBHOOK_ENDPOINTS = 50;
/** Attempts of an endpoint at a time, per process. Begins with 10; each failure halves it. */
export const MAX_ATTEMPTS_PER_ENDPOINT = 64;
/** Attempts to one scheme, host and port at a time, per process, each on a connection. Tests have as many again. */
export const POSTS_PER_ORIGIN = 64;
/** Origins with open connections. Those of the least recently used origin are closed after their posts have ended. */
export const MAX_WEBHOOK_ORIGINS = 500;
/** An attempt. */
export const WEBHOOK_TIMEOUT_MS = 15 * SECOND_MS;
/** The delays between the attempts, plus up to 10 %. */
export const WEBHOOK_DELAYS_MS = [1, 2, 4, 8, 16].map((minutes) => minutes * MINUTE_MS);
/** After this time, others repeat the attempts of a worker that was killed. A running one renews its leases. */
export const WEBHOOK_LEASE_MS = 30 * SECOND_MS;
/** How long attempts are also signed with the previous secret. */
export const PREVIOUS_SECRET_MS = 24 * HOUR_MS;
/** The time between two changes of a secret. Another one would discard the secret that receivers still use. */
export const MIN_ROTATION_INTERVAL_MS = MINUTE_MS;
/** Failed deliveries that one call retries. */
export const MAX_RETRIED_AT_ONCE = 1_000;
/** An endpoint is disabled after so many days of deliveries that failed for good, without a success. */
export const DISABLE_AFTER_DAYS = 5;

// Retention

/** The contents of messages. 0 keeps them. */
export const CONTENT_RETENTION_DAYS = { fallback: 30, min: 0, max: 36_500 };
/** Messages, as whole months before the current one. 0 keeps them. */
export const MESSAGE_RETENTION_MONTHS = { fallback: 13, min: 0, max: 1_200 };
/** The contents of test messages. They are looked at on the day that they are sent, and would fill the disk. */
export const TEST_CONTENT_DAYS = 2;
/** Webhook deliveries, after they ended or their endpoint was disabled. */
export const DELIVERY_RETENTION_DAYS = 14;

// Processes, database and queue

/** Processes that one command starts. `auto`: one per available core. */
export const PROCESSES = { fallback: 1, min: 1, max: 64 };
/** How long a stop waits for what has begun. */
export const SHUTDOWN_GRACE_MS = { fallback: 30 * SECOND_MS, min: 0, max: HOUR_MS };
/** How long a start waits for a PostgreSQL that cannot be reached. */
export const START_TIMEOUT_MS = { fallback: MINUTE_MS, min: 0, max: HOUR_MS };
/** Connections of a process to PostgreSQL, without those of the queue. */
export const DATABASE_POOL_SIZE = { fallback: 20, min: 4, max: 1_000 };
/** Connecting to PostgreSQL, or waiting for a connection of the pool. */
export const DATABASE_CONNECT_TIMEOUT_MS = { fallback: 1_500, min: 100, max: MINUTE_MS };
/** A statement, except migrations and the detaching of partitions. */
export const STATEMENT_TIMEOUT_MS = 30 * SECOND_MS;
/** A statement of sending. */
export const HOT_STATEMENT_TIMEOUT_MS = 5 * SECOND_MS;
/** A statement of a list, search or count. */
export const READ_STATEMENT_TIMEOUT_MS = 10 * SECOND_MS;
/** A transaction that executes nothing. A process that was halted keeps its locks no longer. */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 3 * SECOND_MS;
/** How long a read waits for the replica to catch up. */
export const REPLICA_CATCH_UP_MS = 500;
/** Failed jobs that each queue keeps. */
export const KEPT_FAILED_JOBS = 1_000;
