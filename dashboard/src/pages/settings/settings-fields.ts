import { changedFields } from '../../components/changed-fields';

/** A text by language, or one text for all languages. */
export type FormText = string | Readonly<Record<string, string>>;

interface Described {
  name: string;
  label: FormText;
  help?: FormText;
  placeholder?: FormText;
  /** Takes a whole row. Switches always do. */
  isWide?: boolean;
}

export interface TextField extends Described {
  kind: 'text';
  required?: boolean;
  maxLength?: number;
  /** Turns off the completion of the browser. */
  isCredential?: boolean;
  /** The field of the shown section that lists values to choose from. */
  suggestions?: string;
}

export interface NumberField extends Described {
  kind: 'number';
  min: number;
  max: number;
  isInteger?: boolean;
  initial?: number;
  /** Whether an empty field clears the setting. Otherwise it keeps it. */
  isNullable?: boolean;
}

export interface SwitchField extends Described {
  kind: 'switch';
  initial?: boolean;
}

export interface ChoiceField extends Described {
  kind: 'choice';
  initial: string;
  options: readonly { value: string; label: FormText }[];
}

/** A write-only field: the shown section has `<name>Set` instead. */
export interface SecretField extends Described {
  kind: 'secret';
  /** Fields that are sent with the secret, because it has been typed for their values, whatever is stored by then. */
  sentWith?: readonly string[];
  /** The field whose change discards the stored secret, and the text that says so. */
  keptFor?: string;
  lost?: FormText;
  /** A new secret is required in place of a lost one unless this field is empty. */
  neededBy?: string;
}

export type Field = TextField | NumberField | SwitchField | ChoiceField | SecretField;

/** The contents of a provider's `settings-form.json`. */
export interface SettingsForm {
  /** The section of the settings that contains the fields. */
  section: string;
  /** The provider of the fields, in a section that several providers share. */
  provider?: string;
  title?: FormText;
  description?: FormText;
  /** The label of the choice between the providers of the section, if there are several. */
  choice?: FormText;
  /** The object within the section that has the fields; absent: the section itself. */
  within?: string;
  /** Whether the provider reports the status of the account, and has an opt-out list. */
  reportsAccount?: boolean;
  /** Whether the installation may have a provider for accounts without the section. */
  hasDefault?: boolean;
  fields: readonly Field[];
}

/** A section of the settings, or the changes to one. */
export type Section = Readonly<Record<string, unknown>>;

/** The values by the path of their field. An empty number field holds a string. */
export type FieldValues = Record<string, string | number | boolean>;

/** The fields of one section: `own` are those that do not depend on the provider. */
export class SectionForm {
  private readonly own: readonly Field[];
  private readonly offered: readonly SettingsForm[];
  readonly hasDefault: boolean;

  constructor(forms: readonly SettingsForm[], section: string) {
    const all = forms.filter((form) => form.section === section);
    const shared = all.filter(({ provider }) => provider === undefined);
    this.hasDefault = all.some(({ hasDefault }) => hasDefault);
    this.offered = all.filter(({ provider }) => provider !== undefined);
    this.own = [...choiceOf(this.offered, shared[0]?.choice ?? ''), ...shared.flatMap(fieldsOf)];
  }

  /** The values for all providers, so that a choice can be taken back. */
  valuesOf(shown: Section | null): FieldValues {
    const fields = [...this.own, ...this.offered.flatMap(fieldsOf)];
    return Object.fromEntries(fields.map((field) => [field.name, valueOf(field, shown)]));
  }

  fieldsFor(values: FieldValues): readonly Field[] {
    const chosen = this.chosen(values);
    return [...this.own, ...(chosen ? fieldsOf(chosen) : [])];
  }

  descriptionFor(values: FieldValues): FormText | undefined {
    return this.chosen(values)?.description;
  }

  /** Whether the provider of the shown section reports the status of the account. */
  reportsAccount(shown: Section): boolean {
    return this.chosen(this.valuesOf(shown))?.reportsAccount === true;
  }

  /** The edited fields, or all fields of new settings. Omits empty secrets, so that the stored ones are kept. */
  changeOf(values: FieldValues, initial: FieldValues): Section {
    const fields = this.fieldsFor(values);
    const isNew = fields.some((field) => field.kind === 'text' && field.required && initial[field.name] === '');
    const sent = sentOf(fields, values);
    const changed = changedFields(isNew ? {} : sentOf(fields, initial), sent);
    for (const field of fields) {
      if (field.kind !== 'secret' || !(field.name in changed || (field.keptFor ?? '') in changed)) continue;
      for (const name of field.sentWith ?? []) changed[name] = sent[name];
    }
    return nested(changed);
  }

  private chosen({ provider }: FieldValues): SettingsForm | undefined {
    return this.offered.find((form) => form.provider === provider) ?? this.offered[0];
  }
}

/** The field with which one of several providers is chosen. */
function choiceOf(offered: readonly SettingsForm[], label: FormText): readonly ChoiceField[] {
  const options = offered.map(({ provider = '', title = provider }) => ({ value: provider, label: title }));
  const [first] = options;
  if (!first || options.length === 1) return [];
  return [{ name: 'provider', kind: 'choice', label, initial: first.value, options }];
}

/** Whether the stored secret will be lost because of the edits. */
export function isLost({ keptFor }: SecretField, values: FieldValues, shown: Section | null): boolean {
  if (keptFor === undefined) return false;
  const stored = read(shown, keptFor);
  return typeof stored !== 'string' || String(values[keptFor]).trim().toLowerCase() !== stored.toLowerCase();
}

/** Returns the value at the path of a field. */
export function read(shown: Section | null, path: string): unknown {
  return path.split(SEPARATOR).reduce<unknown>((from, name) => (from as Section | null)?.[name], shown ?? undefined);
}

/** Separates the names in a path. Not a dot, which Mantine would follow into objects. */
const SEPARATOR = '/';

/** The fields of a form, named by their paths. */
function fieldsOf({ within, fields }: SettingsForm): readonly Field[] {
  if (within === undefined) return fields;
  const path = (name: string) => `${within}${SEPARATOR}${name}`;
  return fields.map((field) => {
    if (field.kind !== 'secret') return { ...field, name: path(field.name) };
    const { sentWith = [], keptFor, neededBy } = field;
    return {
      ...{ ...field, name: path(field.name), sentWith: sentWith.map(path) },
      ...(keptFor !== undefined && { keptFor: path(keptFor) }),
      ...(neededBy !== undefined && { neededBy: path(neededBy) }),
    };
  });
}

function valueOf(field: Field, shown: Section | null): string | number | boolean {
  if (field.kind === 'secret') return '';
  const empty = field.kind === 'switch' ? false : '';
  const initial = field.kind === 'text' ? empty : (field.initial ?? empty);
  const stored = read(shown, field.name) as string | number | boolean | null | undefined;
  return stored === undefined ? initial : (stored ?? empty);
}

function sentOf(fields: readonly Field[], values: FieldValues): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const sent = sentValue(field, values[field.name] ?? '');
      return sent === undefined ? [] : [[field.name, sent]];
    }),
  );
}

function sentValue(field: Field, value: string | number | boolean): unknown {
  switch (field.kind) {
    case 'text': {
      const text = String(value).trim();
      return field.required ? text : text || null;
    }
    case 'number':
      return value !== '' ? Number(value) : field.isNullable ? null : undefined;
    case 'secret':
      return value === '' ? undefined : value;
    default:
      return value;
  }
}

function nested(changed: Section): Section {
  const section: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(changed)) {
    const [outer = '', inner] = path.split(SEPARATOR);
    section[outer] = inner === undefined ? value : { ...(section[outer] as Section | undefined), [inner]: value };
  }
  return section;
}
