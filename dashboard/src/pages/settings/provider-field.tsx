import { Autocomplete, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

import { NUMBER_SEPARATORS } from '../../texts/number-separators';
import { inLanguage } from './provider-forms';
import { SecretField } from './secret-field';
import { type Field, type FieldValues, isLost, read, type Section } from './settings-fields';

interface Props {
  field: Field;
  form: UseFormReturnType<FieldValues>;
  /** The section of the settings. */
  shown: Section | null;
}

/** An input for a field that a provider describes. */
export function ProviderField({ field, form, shown }: Props) {
  const common = {
    label: inLanguage(field.label),
    description: field.help && inLanguage(field.help),
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
  };
  const input = form.getInputProps(field.name, field.kind === 'switch' ? { type: 'checkbox' } : undefined);
  const placeholder = field.placeholder && inLanguage(field.placeholder);
  switch (field.kind) {
    case 'switch':
      return <Switch label={common.label} description={common.description} {...input} />;
    case 'choice':
      return (
        <Select
          {...common}
          data={field.options.map(({ value, label }) => ({ value, label: inLanguage(label) }))}
          allowDeselect={false}
          {...input}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          placeholder={placeholder}
          decimalSeparator={NUMBER_SEPARATORS.decimalSeparator}
          allowDecimal={field.isInteger !== true}
          min={field.min}
          max={field.max}
          {...input}
        />
      );
    case 'secret': {
      const isSet = read(shown, `${field.name}Set`) === true;
      const lost = isLost(field, form.values, shown);
      const isNeeded = field.neededBy !== undefined && String(form.values[field.neededBy]).trim() !== '';
      return (
        <SecretField
          label={common.label}
          isSet={isSet}
          discarded={lost && inLanguage(field.lost ?? '')}
          required={lost && isSet && isNeeded}
          {...input}
        />
      );
    }
    case 'text': {
      const { required = false, maxLength, isCredential, suggestions } = field;
      const text = { ...common, placeholder, required, withAsterisk: false, maxLength, ...input };
      if (suggestions === undefined) return <TextInput {...text} autoComplete={isCredential ? 'off' : undefined} />;
      return <Autocomplete {...text} data={read(shown, suggestions) as string[] | undefined} />;
    }
  }
}
