export type { EmailIdentity, IdentityKeeper, IdentityStatus, RelayRecords } from './capabilities/identities.js';
export { type OptOutList, type OptOutPage, SmsAccountFailure, type SmsAccountState } from './capabilities/opt-outs.js';
export type { EmailProvider, SmsProvider } from './capabilities/provider.js';
export type { EmailSubmission, ProviderReceipt, SendingLimit } from './capabilities/sending.js';
export type {
  PostContext,
  ProviderPost,
  ProviderReport,
  ReadsReports,
  ReportedResults,
} from './capabilities/reports.js';
export { boundedData, storable } from './events/fields.js';
export { type ProviderEvent, suppressionCause } from './events/provider-event.js';
export { requestOf, type SmsReply, type SmsRequest } from './events/sms-reply.js';
export {
  currentProviderKey,
  currentVerificationProvider,
  providerKeyOf,
  verificationProviderOf,
} from './provider-key.js';
export { DeliveryStateResponse } from './delivery-state.response.js';
export { Providers, UnknownProviderError } from './providers.js';
export { type EmailConnection, REPORT_READERS, type SmsConnection } from './registration.js';
export { type Report, REPORTS } from './simulator/simulation.js';
export { type SimulatedReport, SimulatedReports } from './simulator/simulated-reports.js';
export {
  isSimulatedRecipient,
  isSimulatedSuppression,
  SIMULATED_ORIGINATION_NUMBER,
  SIMULATOR,
  simulatorMessageId,
} from './simulator/simulation.js';
export { type SimulatedMessage, Simulator } from './simulator/simulator.js';
export { SesSettingsDto } from './ses/ses-settings.dto.js';
export { SesSettingsResponse } from './ses/ses-settings.response.js';
export { changeSections, SEALED_FIELDS, type SectionChanges, smsAccountOf } from './settings.js';
export { isSimulated, type SimulatedConnection, SimulatorProvider } from './simulator/simulator-provider.js';
export { SmsSettingsDto } from './sms/sms-settings.dto.js';
export { SmsSettingsResponse } from './sms/sms-settings.response.js';
export { RELAY_PREFIX } from './smtp/smtp-keys.js';
export { SmtpSettingsDto } from './smtp/smtp-settings.dto.js';
export { SmtpSettingsResponse } from './smtp/smtp-settings.response.js';
