import type { AwsCall, AwsRequest } from './aws-call.js';
import { AwsError } from './aws-error.js';
import type { Identity } from './identities.js';
import { sendEmail } from './send-email.js';

type Operation = (call: AwsCall) => object;

/** By method and path; a part in braces is a parameter of that name. */
const ROUTES: Record<string, [name: string, run: Operation]> = {
  'POST /v2/email/outbound-emails': ['SendEmail', sendEmail],
  'GET /v2/email/account': ['GetAccount', getAccount],
  'POST /v2/email/identities': ['CreateEmailIdentity', createEmailIdentity],
  'GET /v2/email/identities/{EmailIdentity}': ['GetEmailIdentity', getEmailIdentity],
  'DELETE /v2/email/identities/{EmailIdentity}': ['DeleteEmailIdentity', deleteEmailIdentity],
  'PUT /v2/email/identities/{EmailIdentity}/mail-from': ['PutEmailIdentityMailFromAttributes', putMailFrom],
  'PUT /v2/email/identities/{EmailIdentity}/dkim/signing': ['PutEmailIdentityDkimSigningAttributes', putDkimSigning],
  'POST /v2/email/configuration-sets': ['CreateConfigurationSet', createConfigurationSet],
  'GET /v2/email/configuration-sets/{ConfigurationSetName}': ['GetConfigurationSet', getConfigurationSet],
  'POST /v2/email/configuration-sets/{ConfigurationSetName}/event-destinations': [
    'CreateConfigurationSetEventDestination',
    createEventDestination,
  ],
  'GET /v2/email/configuration-sets/{ConfigurationSetName}/event-destinations': [
    'GetConfigurationSetEventDestinations',
    getEventDestinations,
  ],
  'PUT /v2/email/configuration-sets/{ConfigurationSetName}/event-destinations/{EventDestinationName}': [
    'UpdateConfigurationSetEventDestination',
    updateEventDestination,
  ],
};

const OPERATIONS: Record<string, Operation> = Object.fromEntries(Object.values(ROUTES));
const PATTERNS = Object.entries(ROUTES).map(([route, [operation]]) => ({
  operation,
  pattern: new RegExp(`^${route.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** The operation and its parameters; one that is not here is named by its method and path. */
export function readSesRequest(
  method: string,
  path: string,
  body: string,
): Pick<AwsRequest, 'operation' | 'parameters'> {
  const route = `${method} ${path}`;
  const parameters = body ? (JSON.parse(body) as Record<string, unknown>) : {};
  for (const { operation, pattern } of PATTERNS) {
    const match = pattern.exec(route);
    if (!match) continue;
    for (const [name, value] of Object.entries(match.groups ?? {})) parameters[name] = decodeURIComponent(value);
    return { operation, parameters };
  }
  return { operation: route, parameters };
}

export function runSes(call: AwsCall): object {
  const run = OPERATIONS[call.request.operation];
  if (!run) throw new AwsError(404, 'UnknownOperationException', `No such operation: ${call.request.operation}`);
  return run(call);
}

const text = ({ request }: AwsCall, name: string) => (request.parameters[name] ?? '') as string;

function getAccount({ account }: AwsCall): object {
  return {
    DedicatedIpAutoWarmupEnabled: false,
    EnforcementStatus: account.suspended ? 'SHUTDOWN' : 'HEALTHY',
    ProductionAccessEnabled: !account.sandbox,
    SendQuota: {
      Max24HourSend: account.dailyQuota,
      MaxSendRate: account.maxSendRate,
      SentLast24Hours: account.sentLast24Hours,
    },
    SendingEnabled: !account.paused && !account.suspended,
    SuppressionAttributes: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
  };
}

/** The DKIM status of this first answer is always `NOT_STARTED`. */
function createEmailIdentity(call: AwsCall): object {
  const signing = call.request.parameters.DkimSigningAttributes as { NextSigningKeyLength?: string } | undefined;
  const identity = call.account.identities.create(text(call, 'EmailIdentity'), signing?.NextSigningKeyLength);
  const { IdentityType, VerifiedForSendingStatus, DkimAttributes } = describe(identity);
  return { IdentityType, VerifiedForSendingStatus, DkimAttributes: { ...DkimAttributes, Status: 'NOT_STARTED' } };
}

function getEmailIdentity(call: AwsCall): object {
  return describe(call.account.identities.get(text(call, 'EmailIdentity')));
}

function deleteEmailIdentity(call: AwsCall): object {
  call.account.identities.delete(text(call, 'EmailIdentity'));
  return {};
}

/** Without a domain it takes the custom MAIL FROM away. */
function putMailFrom(call: AwsCall): object {
  const identity = call.account.identities.get(text(call, 'EmailIdentity'));
  const domain = text(call, 'MailFromDomain');
  if (domain && !domain.endsWith(`.${identity.name.slice(identity.name.indexOf('@') + 1)}`)) {
    const message = `Provided MAIL-FROM domain <${domain}> is not subdomain of the domain of the identity <${identity.name}>`;
    throw new AwsError(400, 'BadRequestException', message);
  }
  const onMxFailure = text(call, 'BehaviorOnMxFailure') || 'USE_DEFAULT_VALUE';
  identity.mailFrom = domain ? { domain, status: 'PENDING', onMxFailure } : undefined;
  return {};
}

/** Easy DKIM begins anew, with the tokens that stand. */
function putDkimSigning(call: AwsCall): object {
  const identity = call.account.identities.get(text(call, 'EmailIdentity'));
  identity.dkimStatus = 'PENDING';
  return { DkimStatus: identity.dkimStatus, DkimTokens: identity.dkimTokens };
}

function createConfigurationSet(call: AwsCall): object {
  const name = text(call, 'ConfigurationSetName');
  if (call.account.configurationSets.has(name)) {
    throw new AwsError(400, 'AlreadyExistsException', `Configuration set <${name}> already exists.`);
  }
  call.account.configurationSets.set(name, []);
  return {};
}

function getConfigurationSet(call: AwsCall): object {
  destinationsOf(call);
  return { ConfigurationSetName: text(call, 'ConfigurationSetName'), SendingOptions: { SendingEnabled: true } };
}

function createEventDestination(call: AwsCall): object {
  const destination = call.request.parameters.EventDestination as object;
  destinationsOf(call).push({ Name: text(call, 'EventDestinationName'), ...destination });
  return {};
}

function updateEventDestination(call: AwsCall): object {
  const name = text(call, 'EventDestinationName');
  const destinations = destinationsOf(call) as { Name: string }[];
  const at = destinations.findIndex(({ Name }) => Name === name);
  if (at < 0) throw new AwsError(404, 'NotFoundException', `Event destination <${name}> does not exist.`);
  destinations[at] = { Name: name, ...(call.request.parameters.EventDestination as object) };
  return {};
}

function getEventDestinations(call: AwsCall): object {
  return { EventDestinations: destinationsOf(call) };
}

function destinationsOf(call: AwsCall): unknown[] {
  const name = text(call, 'ConfigurationSetName');
  const destinations = call.account.configurationSets.get(name);
  if (!destinations) throw new AwsError(404, 'NotFoundException', `Configuration set <${name}> does not exist.`);
  return destinations;
}

function describe({ mailFrom, ...identity }: Identity) {
  return {
    IdentityType: identity.type,
    VerifiedForSendingStatus: identity.verificationStatus === 'SUCCESS',
    FeedbackForwardingStatus: true,
    VerificationStatus: identity.verificationStatus,
    DkimAttributes: {
      SigningEnabled: identity.type === 'DOMAIN',
      Status: identity.dkimStatus,
      Tokens: identity.dkimTokens,
      SigningAttributesOrigin: 'AWS_SES',
      NextSigningKeyLength: identity.keyLength,
      CurrentSigningKeyLength: identity.keyLength,
      LastKeyGenerationTimestamp: 1_700_000_000.1,
    },
    MailFromAttributes: mailFrom
      ? {
          MailFromDomain: mailFrom.domain,
          MailFromDomainStatus: mailFrom.status,
          BehaviorOnMxFailure: mailFrom.onMxFailure,
        }
      : { BehaviorOnMxFailure: 'USE_DEFAULT_VALUE' },
    Policies: {},
    Tags: [],
    VerificationInfo: { LastCheckedTimestamp: Date.now() / 1_000, ErrorType: identity.verificationError },
  };
}
