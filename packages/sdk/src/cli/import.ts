import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

import { CsvError, parse as parseCsv } from 'csv-parse';

import type { DeliveryClient, ImportedContact } from '../index.js';
import { clientOf, EXIT, type ExitCode, parse, printable, printJson, type Terminal, UsageError } from './command.js';
import { columnName, ignoredColumns, type Preset, PRESETS, type Reading } from './import-presets.js';

const OPTIONS = {
  preset: { type: 'string', default: 'plain' },
  list: { type: 'string' },
  tag: { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
} as const;

const BATCH = 500;
const MAX_IGNORED_NAMED = 100;

interface Numbered {
  line: number;
  contact: ImportedContact;
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
  /** Columns of the file, and parts of JSON in its cells, that no field was read from; the first 100 are named. */
  ignoredColumns: { count: number; names: string[] };
}

/** Imports contacts and suppressions from the export of another service. Reads the file once, batch by batch. */
export async function importFile(args: string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = parse(args, OPTIONS);
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new UsageError('import needs one file, or - for standard input');
  const preset = Object.hasOwn(PRESETS, values.preset) ? PRESETS[values.preset] : undefined;
  if (!preset) throw new UsageError(`${values.preset} is not a preset: ${Object.keys(PRESETS).join(', ')}`);
  const dryRun = values['dry-run'] ?? false;
  const run = new ImportRun(clientOf(terminal), terminal, { listId: values.list, tags: values.tag, dryRun });
  for await (const read of readingsOf(file, terminal, preset))
    if ('ignored' in read) run.ignore(read.ignored);
    else await run.add(read.line, read.reading);
  const report = await run.finish();
  if (values.json) printJson(terminal, report);
  else terminal.stdout(summaryOf(report, dryRun));
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
    ignoredColumns: { count: 0, names: [] },
  };
  private readonly ignored = new Set<string>();
  private batch: Numbered[] = [];

  constructor(
    private readonly client: DeliveryClient,
    private readonly terminal: Terminal,
    private readonly options: { listId?: string; tags?: string[]; dryRun: boolean },
  ) {}

  /** Counts names once each. */
  ignore(names: readonly string[]): void {
    for (const name of names) this.ignored.add(name);
  }

  async add(line: number, reading: Reading): Promise<void> {
    this.report.rows++;
    if ('error' in reading) this.fail(line, reading.error);
    else if ('skip' in reading) this.report.skipped++;
    else {
      const { contact, ignored = [] } = reading;
      this.ignore(ignored);
      this.report[contact.status === 'unsubscribed' ? 'unsubscribed' : 'active']++;
      const { tags } = this.options;
      this.batch.push({ line, contact: tags ? { ...contact, tags: [...(contact.tags ?? []), ...tags] } : contact });
      if (this.batch.length === BATCH) await this.flush();
    }
  }

  async finish(): Promise<Report> {
    await this.flush();
    const names = [...this.ignored];
    return { ...this.report, ignoredColumns: { count: names.length, names: names.slice(0, MAX_IGNORED_NAMED) } };
  }

  private async flush(): Promise<void> {
    const batch = this.batch.splice(0);
    if (batch.length === 0) return;
    const { listId, dryRun } = this.options;
    const contacts = batch.map(({ contact }) => contact);
    const written = await this.client.contacts.import(contacts, { listId, dryRun, signal: this.terminal.signal });
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

/** Yields the columns that are ignored, then the rows. */
async function* readingsOf(
  file: string,
  { stdin }: Terminal,
  preset: Preset,
): AsyncGenerator<NumberedReading | { ignored: string[] }> {
  const parser = parseCsv({ bom: true, info: true, skip_empty_lines: true, relax_column_count: true, trim: true });
  const input: Readable = file === '-' ? Readable.from(stdin) : createReadStream(file);
  input.on('error', (error) => parser.destroy(new UsageError(error.message))).pipe(parser);
  let columns: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (columns) yield { line: info.lines, reading: readingOf(columns, record, preset) };
      else {
        columns = columnsOf(record, preset);
        yield { ignored: ignoredColumns(preset, record) };
      }
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

/** Refuses a row with a cell too few or too many: its opt-out may be in another column, or missing. */
function readingOf(columns: string[], cells: string[], { read }: Preset): Reading {
  if (cells.length !== columns.length) return { error: `has ${cells.length} cells, the header ${columns.length}` };
  return read(Object.fromEntries(columns.map((name, i) => [name, cells[i]])));
}

function summaryOf(report: Report, isDryRun: boolean): string {
  const { rows, active, unsubscribed, skipped, created, updated, unchanged, errors, ignoredColumns: ignored } = report;
  const read = `${rows} rows: ${active} contacts, ${unsubscribed} unsubscribed, ${skipped} skipped, ${errors} refused\n`;
  const left =
    ignored.count === 0 ? '' : `${ignored.count} columns not imported: ${printable(ignored.names.join(', '))}\n`;
  const written = `${created} created, ${updated} updated, ${unchanged} unchanged\n`;
  return `${read}${left}${isDryRun ? `Nothing was imported (--dry-run); otherwise ${written}` : written}`;
}
