import { ApiError, ConnectionError } from '../index.js';
import { EXIT, type ExitCode, printable, type Terminal, UsageError } from './command.js';
import { consent } from './consent.js';
import { doctor } from './doctor.js';
import { importFile } from './import.js';
import { PRESETS } from './import-presets.js';
import { send, UnansweredSend } from './send.js';
import { suppress } from './suppress.js';
import { tail } from './tail.js';

const COMMANDS: Record<string, (args: string[], terminal: Terminal) => Promise<ExitCode>> = {
  send,
  tail,
  suppress,
  consent,
  import: importFile,
  doctor,
};

/** Statuses with which a proxy responds if the service does not. */
const UNANSWERED = new Set([502, 503, 504]);

const USAGE = `Usage: opt-in-delivery <command> [options]

send --to ADDRESS --from ADDRESS --subject TEXT [--text TEXT|-] [--html FILE] [--attach FILE]… [--cc|--bcc ADDRESS]…
     [--from-name TEXT] [--reply-to ADDRESS] [--template ID] [--variables JSON] [--strict] [--tag TAG]… [--topic ID]
     [--schedule TIME] [--idempotency-key KEY]       the text is read from standard input if there is no other content
send --sms --to NUMBER [--text TEXT|-] [--topic ID] [--schedule TIME] [--idempotency-key KEY]
tail [-n LINES] [--tag TAG] [--topic ID] [--search TEXT] [--once]
suppress add|check ADDRESS… [--file FILE|-]
consent record ADDRESS [--withdrawn] [--purpose marketing|tracking] [--topic ID] [--at TIME] [--wording TEXT] [--ip IP]
     [--evidence TEXT]
consent standing ADDRESS
import FILE|- [--preset ${Object.keys(PRESETS).join('|')}]
     [--list ID] [--tag TAG]… [--dry-run]
doctor [--from ADDRESS] [--webhook URL]

--json prints JSON. The environment holds DELIVERY_API_KEY, DELIVERY_BASE_URL (http://localhost:3000) and DELIVERY_FROM.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 no answer: it may have been done.
`;

/** Runs a command line without the name of the program, and never throws. */
export async function run(args: string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...others] = args;
  if (name === undefined || args.includes('--help') || args.includes('-h')) {
    terminal.stdout(USAGE);
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new UsageError(`${name} is not a command`);
    return await command(others, terminal);
  } catch (error) {
    return explain(error, terminal);
  }
}

function explain(error: unknown, terminal: Terminal): ExitCode {
  const print = (line: string) => {
    terminal.stderr(`${printable(line)}\n`);
  };
  if (error instanceof UnansweredSend) {
    const code = terminal.signal.aborted ? EXIT.unreachable : explain(error.cause, terminal);
    if (terminal.signal.aborted) print('Interrupted');
    print(`It may have been sent: to be safe, repeat it with --idempotency-key ${error.idempotencyKey}`);
    return code;
  }
  if (error instanceof UsageError) {
    print(error.message);
    print('opt-in-delivery --help shows the usage.');
    return EXIT.usage;
  }
  if (error instanceof ApiError) {
    const left = error.rateLimit ? ` (${error.rateLimit.remaining} of ${error.rateLimit.limit} left today)` : '';
    print(`${error.message}${left}`);
    return UNANSWERED.has(error.status) ? EXIT.unreachable : EXIT.refused;
  }
  print(error instanceof Error ? error.message : String(error));
  return error instanceof ConnectionError ? EXIT.unreachable : EXIT.refused;
}
