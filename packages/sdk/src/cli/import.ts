import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

import { CsvError, parse as parseCsv } from 'csv-parse';

import type { ContactFields, DeliveryClient } from '../index.js';
import { clientOf, EXIT, type ExitCode, parse, printable, printJson, type Terminal, UsageError } from './command.js';
import { columnName, type Preset, PRESETS, type Reading } from './import-presets.js';

const OPTIONS = {
  preset: { type: 'string', default: 'plain' },
  list: { type: 'string' },
  tag: { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
} as const;

const BATCH = 500;

interface Numbered {
  line: number;
  contact: ContactFields;
}

/** Counts of rows; `unchanged` includes those whose address occurs again later. */
interface Report {
  rows: number;
  active: number;
  unsubscribed: number;
  skipped: number;
  created: number;
  updated: number;
  unchanged: number;
  errors: number;
}

/** Imports contacts and suppressions from the export of another service. Reads the file once, batch by batch. */
export async function importFile(args: string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = parse(args, OPTIONS);
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new UsageError('import needs one file, or - for standard input');
  const preset = PRESETS[values.preset];
  if (!preset) throw new UsageError(`${values.preset} is not a preset: ${Object.keys(PRESETS).join(', ')}`);
  const client = values['dry-run'] ? null : clientOf(terminal);
  const run = new ImportRun(client, terminal, { listId: values.list, tags: values.tag });
  for await (const { line, reading } of readingsOf(file, terminal, preset)) await run.add(line, reading);
  const report = await run.finish();
  if (values.json) printJson(terminal, report);
  else terminal.stdout(summaryOf(report, client === null));
  return report.errors > 0 ? EXIT.refused : EXIT.ok;
}

class ImportRun {
  private readonly report: Report = {
    rows: 0,
    active: 0,
    unsubscribed: 0,
    skipped: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    errors: 0,
  };
  private batch: Numbered[] = [];

  constructor(
    private readonly client: DeliveryClient | null,
    private readonly terminal: Terminal,
    private readonly additions: { listId?: string; tags?: string[] },
  ) {}

  async add(line: number, reading: Reading): Promise<void> {
    this.report.rows++;
    if ('error' in reading) this.fail(line, reading.error);
    else if ('skip' in reading) this.report.skipped++;
    else {
      const { contact } = reading;
      this.report[contact.status === 'unsubscribed' ? 'unsubscribed' : 'active']++;
      const { tags } = this.additions;
      this.batch.push({ line, contact: tags ? { ...contact, tags: [...(contact.tags ?? []), ...tags] } : contact });
      if (this.batch.length === BATCH) await this.flush();
    }
  }

  async finish(): Promise<Report> {
    await this.flush();
    return this.report;
  }

  private async flush(): Promise<void> {
    const batch = this.batch.splice(0);
    if (this.client === null || batch.length === 0) return;
    const { listId } = this.additions;
    const contacts = batch.map(({ contact }) => contact);
    const written = await this.client.contacts.import(contacts, { listId, signal: this.terminal.signal });
    this.report.created += written.created;
    this.report.updated += written.updated;
    this.report.unchanged += written.skipped;
    for (const { index, message } of written.errors) this.fail(batch[index]?.line ?? 0, message);
  }

  private fail(line: number, message: string): void {
    this.report.errors++;
    this.terminal.stderr(`line ${line}: ${printable(message)}\n`);
  }
}

interface NumberedReading {
  /** The number of the row's last line. */
  line: number;
  reading: Reading;
}

async function* readingsOf(file: string, { stdin }: Terminal, preset: Preset): AsyncGenerator<NumberedReading> {
  const parser = parseCsv({ bom: true, info: true, skip_empty_lines: true, relax_column_count: true, trim: true });
  const input: Readable = file === '-' ? Readable.from(stdin) : createReadStream(file);
  input.on('error', (error) => parser.destroy(new UsageError(error.message))).pipe(parser);
  let columns: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (columns) yield { line: info.lines, reading: readingOf(columns, record, preset) };
      else columns = columnsOf(record, preset);
    }
  } catch (error) {
    // A fault of the file, such as a quote that is not closed; the message names the line.
    throw error instanceof CsvError ? new UsageError(error.message) : error;
  }
}

function columnsOf(header: string[], { layouts }: Preset): string[] {
  const columns = header.map(columnName);
  if (layouts.some((names) => names.every((name) => columns.includes(name)))) return columns;
  const wanted = layouts.map((names) => names.join(' and ')).join(' or ');
  throw new UsageError(`There is no column ${wanted} in the first line: is the preset right?`);
}

/** With a cell too few or too many, an opt-out may stand in another column, or in none. */
function readingOf(columns: string[], cells: string[], { read }: Preset): Reading {
  if (cells.length !== columns.length) return { error: `has ${cells.length} cells, the header ${columns.length}` };
  return read(Object.fromEntries(columns.map((name, i) => [name, cells[i]])));
}

function summaryOf(report: Report, isDryRun: boolean): string {
  const { rows, active, unsubscribed, skipped, created, updated, unchanged, errors } = report;
  const read = `${rows} rows: ${active} contacts, ${unsubscribed} unsubscribed, ${skipped} skipped, ${errors} refused\n`;
  return isDryRun
    ? `${read}Nothing was imported (--dry-run)\n`
    : `${read}${created} created, ${updated} updated, ${unchanged} unchanged\n`;
}
