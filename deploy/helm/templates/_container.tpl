{{- /* Only Go's own functions, so that scripts/check-chart.mjs can render the chart without Helm. */ -}}

{{- define "image" -}}
{{ .Values.image.repository }}:{{ or .Values.image.tag .Chart.AppVersion }}
{{- end }}

{{- define "pullSecrets" }}
      {{- if .Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range .Values.image.pullSecrets }}
        - { name: {{ printf "%q" . }} }
        {{- end }}
      {{- end }}
{{- end }}

{{- define "podSecurity" }}
        runAsNonRoot: true
        runAsUser: 1000
        seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "containerSecurity" }}
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
{{- end }}

{{- define "environment" }}
          envFrom:
            - secretRef: { name: {{ printf "%q" .Values.existingSecret }} }
          env:
            {{- range $name, $value := .Values.env }}
            - { name: {{ $name }}, value: {{ printf "%q" $value }} }
            {{- end }}
{{- end }}
