/**
 * What the contract suite of the providers must notice: of each a wrong classification, a check that is left out, and a
 * secret that is said. `from` stands once in its file.
 */
export const CONTRACT = 'test/e2e/providers/contract.e2e-spec.ts';

const SMTP = 'src/providers/smtp/smtp-email-provider.ts';
const SES = 'src/providers/ses/ses-email-provider.ts';
const SNS = 'src/providers/sns/sns-sms-provider.ts';
const TWILIO = 'src/providers/twilio/twilio-sms-provider.ts';
const SIMULATOR = 'src/providers/simulator/simulator-provider.ts';
const TEMPLATE = 'test/support/sample-provider.ts';
const CONFIRM_FIRST = 'command.middlewareStack.add(confirmFirst(check), AFTER_SIGNING);';

const MUTANTS = [
  {
    file: 'src/providers/smtp/smtp-error.ts',
    from: 'if (responseCode < 500 || isFixable)',
    to: 'if (responseCode < 400 || isFixable)',
  },
  {
    file: SMTP,
    from: 'submit(mail, check, isBulk)',
    to: 'submit(mail, { ...check, confirm: async () => {} }, isBulk)',
  },
  {
    file: SMTP,
    from: '    try {\n      const response',
    to: '    console.warn(relay);\n    try {\n      const response',
  },
  {
    file: 'src/providers/ses/ses-error.ts',
    from: 'if (DENIED.test(name)) return new TransientDeliveryError',
    to: 'if (DENIED.test(name)) return new PermanentDeliveryError',
  },
  { file: SES, from: CONFIRM_FIRST, to: '' },
  {
    file: SES,
    from: '    await this.tracking.ensure',
    to: '    console.warn(access);\n    await this.tracking.ensure',
  },
  {
    file: 'src/providers/sns/sns-error.ts',
    from: 'if (isCredentialsFailure(failure)) return new ProviderPausedError',
    to: 'if (isCredentialsFailure(failure)) return new PermanentDeliveryError',
  },
  { file: SNS, from: CONFIRM_FIRST, to: '' },
  {
    file: SNS,
    from: 'response: `SNS accepted it as ${MessageId}${from}`',
    to: 'response: `SNS accepted it as ${MessageId}${from} ${access.credentials?.secretAccessKey}`',
  },
  {
    file: 'src/providers/twilio/twilio-error.ts',
    from: 'if (status === 429 || isThrottled(number)) return new ThrottledError(reason);',
    to: '',
  },
  {
    file: 'src/providers/twilio/twilio-api.ts',
    from: '    await check.confirm();\n',
    to: '',
  },
  {
    file: 'src/providers/twilio/twilio-api.ts',
    from: 'noAnswer(error as NodeJS.ErrnoException, exchange.isWritten)',
    to: 'noAnswer(error as NodeJS.ErrnoException, true)',
  },
  {
    file: TWILIO,
    from: 'response: `Twilio accepted it as ${sid}${from}`',
    to: 'response: `Twilio accepted it as ${sid} from ${connection.authToken}`',
  },
  {
    file: 'src/providers/twilio/twilio-callback.ts',
    from: 'isSame(signature, signatureOf(authToken, url, form))',
    to: "signature !== ''",
  },
  // SES and SNS: what was not sent counts as sent, and a request is written without its lease.
  {
    file: 'src/platform/aws/undici-handler.ts',
    from: 'toSdkError(error as Error, exchange.isWritten)',
    to: 'toSdkError(error as Error, true)',
  },
  {
    file: 'src/platform/safe-http/leased-exchange.ts',
    from: 'if (!this.isHeld()) this.abort(new LeaseEndedError());\n    else if',
    to: 'if',
  },
  // The simulator has no secrets.
  {
    file: SIMULATOR,
    from: 'throw new PermanentDeliveryError(reply.reply,',
    to: 'throw new TransientDeliveryError(reply.reply,',
  },
  {
    file: SIMULATOR,
    from: 'throw new TransientDeliveryError(reply.reply,',
    to: 'throw new PermanentDeliveryError(reply.reply,',
  },
  { file: SIMULATOR, from: 'await check.confirm();', to: '' },
  { file: TEMPLATE, from: 'throw new ThrottledError(error)', to: 'throw new TransientDeliveryError(error)' },
  { file: TEMPLATE, from: 'await check.confirm();', to: '' },
  {
    file: TEMPLATE,
    from: "new UnknownOutcomeError('The provider did not answer')",
    to: 'new UnknownOutcomeError(`No answer to ${request.headers.authorization}`)',
  },
];

/** As { file, start, end, replacement }. Throws if the source has changed so that a mutant cannot be made. */
export function providerMutants(readSource) {
  return MUTANTS.map(({ file, from, to }) => {
    const source = readSource(file);
    const start = source.indexOf(from);
    if (start < 0 || source.includes(from, start + 1)) throw new Error(`${file} does not have once: ${from}`);
    return { file, start, end: start + from.length, replacement: to };
  });
}
