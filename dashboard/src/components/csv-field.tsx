import { FileInput, type FileInputProps } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useRef } from 'react';

/** A field for a CSV file. It also reports that the same file was chosen again: it may have been changed meanwhile. */
export function CsvField({ onChange, ...field }: FileInputProps) {
  const reset = useRef<() => void>(null);
  return (
    <FileInput
      leftSection={<FileUp size={16} aria-hidden />}
      clearable
      resetRef={reset}
      onChange={(file) => {
        reset.current?.();
        onChange?.(file);
      }}
      {...field}
    />
  );
}
